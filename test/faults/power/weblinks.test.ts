import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

/** More than what waits between a server and a client: what is in its middle is not at its end. */
const SIZE = 48 * 1024 * 1024;
let installation: Installation;

beforeAll(async () => {
  installation = await Installation.create();
  await writeFile(join(installation.home, 'a.bin'), Buffer.alloc(SIZE, 3));
});
afterAll(() => installation.remove());

async function linkTo(api: ApiClient): Promise<string> {
  const { body } = await api.post('files/weblink', { path: '/ROOT/HOME/a.bin', singleDownload: 1 });
  const { pathname, search } = new URL(body.data.url);
  return `${pathname}${search}&fmode=download`;
}

/** @returns how many bytes came before the connection broke; null where all did */
async function take(api: ApiClient, path: string): Promise<number | null> {
  const { body, statusCode } = await api.open('GET', path);
  expect(statusCode).toBe(200);
  let bytes = 0;
  try {
    for await (const piece of body) bytes += piece.length;
    return null;
  } catch {
    return bytes;
  }
}

describe('a link for one download, when the power is cut', () => {
  it('before its first byte, can be used again: its slot was returned', async () => {
    const path = await linkTo(await installation.start());
    await installation.kill();
    const failing = await installation.start('weblinks.taken=kill');
    await expect(failing.send('GET', path)).rejects.toThrow();
    await installation.died();
    expect(installation.hasReached('weblinks.taken')).toBe(true);
    const api = await installation.start();
    expect(await take(api, path)).toBeNull();
    expect((await api.send('GET', path)).status).toBe(410);
    await installation.kill();
  });

  it('before its last byte, cannot be used twice: the download remains counted', async () => {
    const path = await linkTo(await installation.start());
    await installation.kill();
    const failing = await installation.start('weblinks.settled=kill');
    const came = await take(failing, path).catch(() => 0);
    await installation.died();
    expect(installation.hasReached('weblinks.settled')).toBe(true);
    // Nobody has all of it, and nobody gets it any more.
    expect(came).toBeLessThan(SIZE);
    const api = await installation.start();
    expect((await api.send('GET', path)).status).toBe(410);
    await installation.kill();
  });

  itInFull('in its middle, can be used once more', async () => {
    const path = await linkTo(await installation.start());
    await installation.kill();
    const first = await installation.start();
    const { body } = await first.open('GET', path);
    body.on('error', () => undefined);
    for await (const _piece of body) break;
    await installation.kill();
    const api = await installation.start();
    expect(await take(api, path)).toBeNull();
    expect((await api.send('GET', path)).status).toBe(410);
    await installation.kill();
  });

  itInFull('if the disk fails to count it, is not completed', async () => {
    const path = await linkTo(await installation.start());
    await installation.kill();
    const failing = await installation.start('weblinks.counting=eio');
    expect(await take(failing, path)).toBeLessThan(SIZE);
    // It is given back as soon as the connection is known to be gone.
    const page = path.replace('&fmode=download', '');
    await expect.poll(async () => (await failing.send('GET', page)).status).toBe(200);
    await installation.kill();
    const api = await installation.start();
    expect(await take(api, path)).toBeNull();
    await installation.kill();
  });
});
