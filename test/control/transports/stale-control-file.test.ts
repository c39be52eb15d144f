import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openControl } from '../../../dist/server/cli/control-client.js';
import { parseConfig } from '../../../dist/server/config/config.js';
import { SECOND } from '../../../dist/server/lib/clock.js';
import { closeServer } from '../../support/system/close-server.ts';
import { emptyInstallation } from '../support.ts';

describe('the command line with an outdated control.json', () => {
  it('reveals to another process on that port only a nonce', async () => {
    const installation = await emptyInstallation();
    const key = 'k'.repeat(43);
    // The command line tries for a moment: every try meets another impostor.
    const impostors = [
      () => ({ proof: 'x'.repeat(43), nonce: 'n'.repeat(43) }),
      (sent: { nonce?: string }) => ({ proof: sent.nonce, nonce: sent.nonce }),
      (sent: { nonce?: string }) => ({
        proof: createHmac('sha256', key).update(`client:${sent.nonce}`).digest('base64url'),
        nonce: 'n'.repeat(43),
      }),
      () => ({ token: 'a token for you' }),
    ];
    const seen: { url: string | undefined; headers: http.IncomingHttpHeaders; body: string }[] = [];
    const server = http.createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const impostor = impostors[seen.length % impostors.length];
      seen.push({ url: request.url, headers: request.headers, body });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(impostor?.(JSON.parse(body))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port: taken } = server.address() as AddressInfo;
      await writeFile(
        join(installation.folder, '.larder', 'control.json'),
        JSON.stringify({ pid: 1, port: taken, key }),
      );
      const config = parseConfig({ folder: installation.folder }, {});
      // It tries for 15 seconds, which pass in four pauses here.
      let passed = 0;
      const now = Date.now.bind(Date);
      vi.spyOn(Date, 'now').mockImplementation(() => now() + passed);
      vi.spyOn(timers, 'setTimeout').mockImplementation(async () => {
        passed += 4 * SECOND;
        await new Promise((resolve) => setImmediate(resolve));
      });
      syncBuiltinESMExports();
      await expect(openControl({ config })).rejects.toMatchObject({ code: 'refused' });
      expect(seen.length).toBeGreaterThanOrEqual(impostors.length);
      for (const { url, headers, body } of seen) {
        expect(url).toBe('/control-challenge');
        expect(headers).not.toHaveProperty('authorization');
        expect(Object.keys(JSON.parse(body))).toEqual(['nonce']);
        expect(body).not.toContain(key);
      }
      expect(new Set(seen.map(({ body }) => body)).size, 'a new nonce every time').toBe(seen.length);
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
      await closeServer(server);
      await installation.close();
    }
  });

  it('waits for another command on the folder, and then opens it', async () => {
    const installation = await emptyInstallation();
    const waiting = openControl({ config: parseConfig({ folder: installation.folder }, {}) });
    await new Promise((resolve) => setImmediate(resolve));
    await installation.larder.close();
    const control = await waiting;
    expect(await control.call('status', {})).toMatchObject({ hasOwner: false });
    await control.close();
    await installation.close();
  });
});
