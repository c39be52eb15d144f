import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { isInstalled } from '../support/system/is-installed.ts';
import { type DavClient, parsed } from '../support/webdav/dav-client.ts';
import { connectedApp, requestsIn, synchronize } from './support.ts';

const MIB = 1_024 * 1_024;

let household: Household;
let api: ApiClient;
let app: DavClient;
let folder: string;

beforeAll(async () => {
  household = await openHousehold({ config: { hashDelay: 0.01, hashRate: 1_000 } });
  api = await household.signIn();
  app = await connectedApp(household);
  folder = await mkdtemp(join(tmpdir(), 'larder-sync-'));
});
afterAll(async () => {
  await household?.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (...names: string[]) => join(household.home, ...names);
const look = () => api.get('files/browse', { path: '/ROOT/HOME', recursive: 1 });

/** Larder has seen what is on the disk, and read it. */
async function known(): Promise<void> {
  await look();
  await expect.poll(async () => (await household.control('hashing.get', {})).state).toBe('done');
}

async function propertiesOf(path: string): Promise<Record<string, string>> {
  const { text } = await app.propfind(
    path,
    '0',
    `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:getetag/><oc:id/><oc:fileid/><oc:checksums/></d:prop></d:propfind>`,
  );
  const [first] = [...parsed(text).values()];
  return Object.fromEntries(first?.found ?? []);
}

describe('a file that another program moves to another folder', () => {
  it('remains the same item, with its number, tag and versions', async () => {
    await app.put('/plum.txt', 'first');
    household.clock.advance(120_000);
    await app.put('/plum.txt', 'second');
    await mkdir(at('jam'));
    await known();
    const before = await propertiesOf('/plum.txt');
    expect(Object.keys(before).sort()).toEqual(['checksums', 'fileid', 'getetag', 'id']);
    await rename(at('plum.txt'), at('jam', 'cherry.txt'));
    await look();
    expect(await propertiesOf('/jam/cherry.txt')).toEqual(before);
    const { body } = await api.get('files/versions/list', { path: '/ROOT/HOME/jam/cherry.txt' });
    expect(body.data.versions).toHaveLength(2);
  });
});

describe.runIf(isInstalled('nextcloudcmd'))('the desktop client', () => {
  /** Synchronizes. @returns the paths of the files that it gets */
  async function received(local: string): Promise<string[]> {
    const before = household.logged().length;
    await synchronize(household, app, local, join(folder, 'config'));
    return requestsIn(household.logged().slice(before))
      .filter(({ method, path }) => method === 'GET' && path.startsWith(app.prefix))
      .map(({ path }) => path.slice(app.prefix.length));
  }

  itInFull('follows moves by other programs without a download', async () => {
    const local = join(folder, 'moved');
    await mkdir(local);
    await mkdir(at('inner'));
    await writeFile(at('letter.txt'), 'dear');
    await known();
    expect(await received(local)).toContain('/letter.txt');
    await rename(at('letter.txt'), at('inner', 'letter 2.txt'));
    await look();
    expect(await received(local)).toEqual([]);
  });

  it('downloads a large file with a content not hashed yet only once', async () => {
    const local = join(folder, 'large');
    await mkdir(local);
    await writeFile(at('film.bin'), Buffer.alloc(65 * MIB, 1));
    await known();
    await household.restart({ hashRate: 0 });
    api = await household.signIn();
    await chmod(at('film.bin'), 0o600);
    await look();
    expect(await received(local)).toContain('/film.bin');
    expect(await received(local)).toEqual([]);
  });
});
