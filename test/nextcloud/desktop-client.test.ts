import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { isInstalled } from '../support/system/is-installed.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';
import { trustsAuthorityOnly } from './client-command.ts';
import { connectedApp, requestsIn, runClient, synchronize, treeOf } from './support.ts';
import { retryFailed } from './sync/client-journal.ts';

describe.runIf(isInstalled('nextcloudcmd'))('the desktop client', () => {
  let household: Household;
  let app: DavClient;
  let folder: string;
  let one: string;
  let other: string;
  let round = 0;

  beforeAll(async () => {
    household = await openHousehold();
    app = await connectedApp(household);
    folder = await mkdtemp(join(tmpdir(), 'larder-sync-'));
  });
  afterAll(async () => {
    await household?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    // The home keeps the file that marks it.
    const names = (await readdir(household.home)).filter((name) => !name.startsWith('.'));
    for (const name of names) await rm(join(household.home, name), { recursive: true });
    round += 1;
    [one, other] = [join(folder, `one ${round}`), join(folder, `other ${round}`)];
    await Promise.all([mkdir(one), mkdir(other)]);
    // Without anything that stays, the client asks before it changes everything.
    await writeFile(join(household.home, 'stays.txt'), 'here');
  });

  /** @returns what the client prints */
  const sync = (local: string) => synchronize(household, app, local, join(folder, 'config'));

  async function settle(): Promise<void> {
    for (const local of [one, other, one]) await sync(local);
  }

  /** Larder has seen what another program did in these folders: until then, their tags are as before. */
  async function noticed(...folders: string[]): Promise<void> {
    const api = await household.signIn();
    for (const path of folders)
      await api.get('files/browse', { path: `/ROOT/HOME/${path}`.replace(/\/$/, ''), recursive: 1 });
  }

  async function expectEqualTrees(): Promise<void> {
    const home = await treeOf(household.home);
    expect(await treeOf(one)).toEqual(home);
    expect(await treeOf(other)).toEqual(home);
  }

  it.runIf(trustsAuthorityOnly)('sends nothing to a server with a certificate of another authority', async () => {
    await writeFile(join(one, 'secret.txt'), 'not for others');
    const before = household.logged().length;
    const [ca = ''] = rootCertificates;
    const { hasSucceeded, said } = await runClient({ port: household.port, ca }, app, one, join(folder, 'other'));
    expect(hasSucceeded).toBe(false);
    expect(said).toContain('SSL handshake failed');
    expect(requestsIn(household.logged().slice(before))).toEqual([]);
    expect(await treeOf(household.home)).toEqual({ 'stays.txt': 'here' });
    await sync(one);
    expect(await treeOf(household.home)).toEqual({ 'stays.txt': 'here', 'secret.txt': 'not for others' });
  });

  it('synchronizes two computers with the disk', async () => {
    await mkdir(join(one, 'deep', 'er'), { recursive: true });
    await writeFile(join(one, 'deep', 'er', 'plum é.txt'), 'jam');
    await writeFile(join(household.home, 'on disk.txt'), 'here before');
    await noticed('');
    await settle();
    await expectEqualTrees();

    await rename(join(other, 'deep', 'er'), join(other, 'moved'));
    await writeFile(join(other, 'on disk.txt'), 'changed by the other');
    await writeFile(join(household.home, 'deep', 'by another program.txt'), 'new');
    await noticed('deep');
    await sync(other);
    await sync(one);
    await expectEqualTrees();
    expect(await treeOf(household.home)).toEqual({
      'stays.txt': 'here',
      deep: null,
      'deep/by another program.txt': 'new',
      moved: null,
      'moved/plum é.txt': 'jam',
      'on disk.txt': 'changed by the other',
    });
  });

  it('transfers nothing when nothing has changed', async () => {
    await writeFile(join(one, 'a.txt'), 'a');
    await mkdir(join(one, 'folder'));
    await settle();
    const said = await sync(one);
    expect(said).not.toMatch(/(?:Starting|Completed) .*propagation/i);
    // The tag of the home is as before: nothing below it is asked for.
    expect(said.match(/"PROPFIND"/g)).toHaveLength(1);
  });

  it.each(['NFC', 'NFD'] as const)(
    'keeps a file that gets a new content, a new folder and the form %s of its name',
    async (to) => {
      const name = (form: 'NFC' | 'NFD') => 'ä ö.txt'.normalize(form);
      const from = to === 'NFC' ? 'NFD' : 'NFC';
      await mkdir(join(one, 'first'));
      await writeFile(join(one, 'first', name(from)), 'first');
      await settle();
      await writeFile(join(one, 'first', name(from)), 'second content');
      await rename(join(one, 'first'), join(one, 'second'));
      await rename(join(one, 'second', name(from)), join(one, 'second', name(to)));
      // The client sends the file and deletes its former name at the same time: if the file comes first, it is refused, and sent again.
      await runClient(household, app, one, join(folder, 'config'));
      await retryFailed(one);
      // The other computer deletes the former name after it has received the file.
      for (const local of [one, other, one, other, one]) await sync(local);
      await expectEqualTrees();
      expect(await treeOf(household.home)).toEqual({
        'stays.txt': 'here',
        second: null,
        [`second/${name(to)}`]: 'second content',
      });
    },
  );

  it('keeps both contents of a file that changed on both sides', async () => {
    await writeFile(join(one, 'letter.txt'), 'first');
    await settle();
    await writeFile(join(one, 'letter.txt'), 'changed by one');
    await writeFile(join(other, 'letter.txt'), 'changed by the other');
    await settle();
    await sync(other);
    await expectEqualTrees();
    const contents = Object.values(await treeOf(household.home)).sort();
    expect(contents).toEqual(['changed by one', 'changed by the other', 'here']);
  });

  const size = String(1024 * 1024);
  /** Lets the client send files of more than a megabyte in parts. */
  const inParts = { OWNCLOUD_CHUNK_SIZE: size, OWNCLOUD_MIN_CHUNK_SIZE: size, OWNCLOUD_MAX_CHUNK_SIZE: size };
  const send = () => synchronize(household, app, one, join(folder, 'config'), inParts);
  /** What it asked of its transfers since this length of the log, by method: the statuses. */
  const transfersSince = (before: number) => {
    const requests = requestsIn(household.logged().slice(before)).filter(({ path }) => path.includes('/dav/uploads/'));
    return (method: string) => requests.filter((request) => request.method === method).map(({ status }) => status);
  };

  it('uploads a large file in parts, and again after a change', async () => {
    const name = 'plum é jam.bin';
    for (const content of [randomBytes(3_500_000), randomBytes(2_500_000)]) {
      const before = household.logged().length;
      await writeFile(join(one, name), content);
      await send();
      expect((await readFile(join(household.home, name))).equals(content)).toBe(true);
      const statuses = transfersSince(before);
      const parts = Math.ceil(content.length / Number(size));
      expect(statuses('PUT')).toEqual(Array.from({ length: parts }, () => 201));
      expect([statuses('MKCOL'), statuses('MOVE').length]).toEqual([[201], 1]);
    }
    await sync(one);
    expect((await send()).match(/"PROPFIND"/g)).toHaveLength(1);
  });

  it('continues an interrupted upload with the parts that arrived', async () => {
    await writeFile(join(one, 'film.bin'), 'short');
    await send();
    const content = randomBytes(2_500_000);
    await writeFile(join(one, 'film.bin'), content);
    const other = await davClient(await household.signIn());
    const { token } = await other.lock('/My%20files/film.bin');
    let before = household.logged().length;
    await send().catch(() => undefined);
    expect([transfersSince(before)('PUT'), new Set(transfersSince(before)('MOVE'))]).toEqual([
      [201, 201, 201],
      new Set([423]),
    ]);
    await other.send('UNLOCK', '/My%20files/film.bin', { headers: { 'lock-token': `<${token}>` } });
    before = household.logged().length;
    await send();
    expect([transfersSince(before)('PROPFIND'), transfersSince(before)('PUT')]).toEqual([[207], []]);
    expect((await readFile(join(household.home, 'film.bin'))).equals(content)).toBe(true);
  });
});
