import { createHash, X509Certificate } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { issueServer } from '../../dist/server/tls/issue.js';
import type { Household } from '../support/households/household.ts';

/** What browsers of each system say about themselves. */
export const AGENTS = {
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  linux: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
} as const;

/** A certificate for the server, and what puts it into use. */
export async function nextCertificate(household: Household) {
  const { certificate, key } = await issueServer({
    names: ['localhost', '127.0.0.1'],
    authority: {
      certificate: household.ca,
      key: await readFile(join(household.folder, '.larder', 'tls', 'ca.key'), 'utf8'),
    },
    now: household.clock.now(),
  });
  const publicKey = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  const files = { 'own.crt': certificate, 'own.key': key };
  const path = (name: string) => join(household.folder, '.larder', 'tls', name);
  const { certificates } = household.larder;
  return {
    publicKeyHash: createHash('sha256').update(publicKey).digest('base64'),
    async use() {
      for (const [name, text] of Object.entries(files)) await writeFile(path(name), text, { mode: 0o600 });
      await certificates.refresh();
    },
    async remove() {
      for (const name of Object.keys(files)) await rm(path(name), { force: true });
      await certificates.refresh();
    },
  };
}

/**
 * The person has clicked the browser's warning away for this origin. All other addresses are checked.
 * @param page of a browser that checks certificates
 */
export async function passWarning(household: Household, page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const { status, headers, bytes } = await household.api.send('GET', `${pathname}${search}`, {
      headers: await route.request().allHeaders(),
    });
    await route.fulfill({ status, headers, body: bytes });
  });
  // Chromium cannot tell that a routed page comes from this computer.
  await page.context().grantPermissions(['local-network-access']);
}
