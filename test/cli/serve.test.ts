import { access, readFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFullForm, itInFull, sampled } from '../support/forms.ts';
import { like, t } from '../support/server-texts.ts';
import { eventually } from '../support/system/eventually.ts';
import { type Installation, newInstallation, type Server, setUpInstallation } from './support.ts';

let installation: Installation;

beforeEach(async () => {
  installation = await setUpInstallation();
});
afterEach(() => installation.remove());

async function health(server: Server): Promise<number> {
  const ca = await readFile(join(installation.folder, '.larder', 'tls', 'ca.crt'), 'utf8');
  const agent = new Agent({ connect: { ca } });
  try {
    const reply = await request(`https://localhost:${server.port}/healthz`, { dispatcher: agent });
    await reply.body.dump();
    return reply.statusCode;
  } finally {
    await agent.close();
  }
}

const WARNING = like('api.warnings.http');

describe('larder serve', () => {
  it('prints addresses, fingerprint and a working link, one per line, also into a pipe', async () => {
    const server = await installation.serve();
    const lines = server.greeting.split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/^Address: +https:\/\/localhost:\d+$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^Authority fingerprint, SHA-256: +(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    );
    const link = lines.map((line) => /^Panel: +(http:\/\/127\.0\.0\.1:\d+\/#open=([\w-]+))$/.exec(line)).find(Boolean);
    expect(link).toBeTruthy();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours for a terminal are what must not be there
    expect(server.greeting).not.toMatch(/\u001b/);
    const exchange = () =>
      fetch(new URL('/control-link', link?.[1]), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ secret: link?.[2] }),
      });
    expect((await exchange()).status).toBe(200);
    expect((await exchange()).status).toBe(401);
    expect(await health(server)).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });

  itInFull('continues when the reader of its output has ended', async () => {
    const server = await installation.serve();
    server.child.stdout.destroy();
    server.child.stderr.destroy();
    // Each switch prints a line.
    for (const httpTesting of [true, false, true]) await installation.control('settings.update', { httpTesting });
    expect(await health(server)).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });

  it.each(sampled(['SIGTERM', 'SIGINT'] as const, 1))(
    'stops at %s with exit code 0, and releases the folder',
    async (signal) => {
      const server = await installation.serve();
      const { code, stderr } = await server.stop(signal);
      expect([code, stderr]).toEqual([0, '']);
      await expect(access(join(installation.folder, '.larder', 'control.json'))).rejects.toThrow();
      expect(await installation.control('status')).toMatchObject({ running: false });
      const again = await installation.serve();
      expect(await health(again)).toBe(200);
    },
  );

  it('stops within seconds although clients keep their connections open', async () => {
    const server = await installation.serve();
    const ca = await readFile(join(installation.folder, '.larder', 'tls', 'ca.crt'), 'utf8');
    const agent = new Agent({ connect: { ca }, keepAliveTimeout: 60_000 });
    await (await request(`https://localhost:${server.port}/healthz`, { dispatcher: agent })).body.dump();
    // The client closes its connection only after a minute.
    expect((await server.stop()).code).toBe(0);
    await agent.destroy();
  });

  itInFull(
    'fails with exit code 3 for a folder that another server serves, without disturbing that server',
    async () => {
      const server = await installation.serve();
      const second = await installation.larder(['serve']);
      expect([second.code, second.stdout]).toEqual([3, '']);
      expect(second.stderr).toContain(t('api.storage.inUse'));
      expect(await health(server)).toBe(200);
      expect(await installation.control('status')).toMatchObject({ running: true });
    },
  );

  itInFull('takes over a folder whose server was killed', async () => {
    const server = await installation.serve();
    await server.stop('SIGKILL');
    await access(join(installation.folder, '.larder', 'control.json'));
    expect(await installation.control('status')).toMatchObject({ running: false, hasOwner: true });
    const again = await installation.serve();
    expect(await health(again)).toBe(200);
    expect(await installation.control('status')).toMatchObject({ running: true });
  });

  itInFull('answers the command line, set-up included', async () => {
    const fresh = await newInstallation();
    try {
      const server = await fresh.serve();
      expect(server.greeting).toMatch(/^Set up here: +http:\/\/127/m);
      expect(await fresh.setUp()).toMatchObject({ id: 1, username: 'ann', apiEnabled: true });
      expect(await fresh.control('status')).toMatchObject({ running: true, hasOwner: true, apiEnabled: true });
      const { url } = await fresh.control('panel.link');
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#open=/);
    } finally {
      await fresh.remove();
    }
  });

  itInFull('refuses the same through the command line as elsewhere, and runs the doctor', async () => {
    const fresh = await newInstallation();
    try {
      await fresh.serve();
      await fresh.setUp();
      const twice = await fresh.larder(['setup', '--owner', 'bob', '--password-stdin'], 'correct horse battery\n');
      expect([twice.code, twice.stdout]).toEqual([4, '']);
      const bad = await fresh.larder(['control', 'settings.update', '{"wrongPasswordLimit":1}', '--json']);
      expect([bad.code, bad.stdout]).toEqual([4, '']);
      expect(bad.stderr).toContain('wrongPasswordLimit');
      const doctor = await fresh.larder(['doctor', '--json']);
      expect([doctor.code, JSON.parse(doctor.stdout).problems]).toEqual([0, []]);
    } finally {
      await fresh.remove();
    }
  });
});

describe('§1.3: the HTTP testing mode', () => {
  it('prints a warning at every start while it is on', async () => {
    const quiet = await installation.serve();
    expect(quiet.greeting).not.toMatch(WARNING);
    await quiet.stop();
    await installation.control('settings.update', { httpTesting: true });
    for (let start = 0; start < (isFullForm ? 2 : 1); start += 1) {
      const server = await installation.serve();
      await server.stop();
      expect((await server.finished).stdout).toMatch(WARNING);
    }
  });

  it('opens the port when it is turned on, and cuts every connection when it is turned off', async () => {
    await installation.serve();
    expect((await installation.control('status')).httpAddresses).toEqual([]);
    await installation.control('settings.update', { httpTesting: true });
    const port = await waitFor(async () => {
      const { httpAddresses } = (await installation.control('status')) as { httpAddresses: string[] };
      return Number(/:(\d+)$/.exec(httpAddresses[0] ?? '')?.[1]) || null;
    });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const get = () =>
      new Promise<number>((resolve, reject) => {
        const sent = http.get({ host: '127.0.0.1', port, path: '/healthz', agent }, (reply) => {
          reply.resume();
          reply.on('end', () => resolve(reply.statusCode ?? 0));
        });
        sent.on('error', reject);
      });
    expect(await get()).toBe(200);
    const [socket] = Object.values(agent.freeSockets).flat();
    expect(socket).toBeDefined();
    const cut = new Promise<boolean>((resolve) => socket?.on('close', () => resolve(true)));
    await installation.control('settings.update', { httpTesting: false });
    expect(await cut).toBe(true);
    await expect(get()).rejects.toThrow(/ECONNREFUSED/);
    expect((await installation.control('status')).httpAddresses).toEqual([]);
    agent.destroy();
  });
});

/** Asks until there is an answer. */
async function waitFor<T>(ask: () => Promise<T>): Promise<NonNullable<T>> {
  return (await eventually(ask, Boolean)) as NonNullable<T>;
}
