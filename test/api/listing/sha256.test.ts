import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPermissions } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
let box = '';
let folder = '';
let olga: ApiClient;

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
});
afterAll(() => household.close());
beforeEach(async () => {
  box = await household.newBox();
  folder = `/ROOT/HOME/${box}`;
});

type Hashes = Record<string, string | null | undefined>;
const details = ['sha256'];
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const hashesIn = ({ body }: Awaited<ReturnType<ApiClient['get']>>): Hashes =>
  Object.fromEntries(body.data.files.map((one: { filename: string; sha256?: string }) => [one.filename, one.sha256]));
const browse = async (api: ApiClient, path: string, more = {}) =>
  hashesIn(await api.get('files/browse', { path, details, ...more }));

describe('the detail sha256', () => {
  it('is that of the content, in every listing', async () => {
    const path = `${folder}/new.txt`;
    const hash = sha256('content');
    await olga.put({ path }, 'content');
    await olga.post('files/star', { path });
    expect(await browse(olga, folder)).toEqual({ sub: undefined, 'a.txt': null, 'new.txt': hash });
    expect(await browse(olga, folder, { recursive: 1 })).toMatchObject({ 'b.txt': null, 'new.txt': hash });
    expect(await browse(olga, '/STARRED')).toMatchObject({ 'new.txt': hash });
    const search = { path: folder, filename: 'txt', details };
    expect(hashesIn(await olga.post('files/search', search))).toEqual({
      'a.txt': null,
      'b.txt': null,
      'new.txt': hash,
    });
    expect((await olga.get('files/info', { path, details })).body.data.sha256).toBe(hash);
    const { etag } = (await olga.get('files/download', { path })).headers;
    expect((await olga.get('files/metadata', { path })).body.data).toMatchObject({ sha256: hash, etag });
    await olga.post('files/delete', { path });
    expect(await browse(olga, '/TRASH')).toMatchObject({ 'new.txt': hash });
  });

  it('is null while it is not known, and absent for folders', async () => {
    const path = `${folder}/new.txt`;
    await olga.put({ path }, 'content');
    await writeFile(household.at(`${box}/new.txt`), 'changed by another program');
    expect((await olga.get('files/info', { path, details })).body.data.sha256).toBeNull();
    expect((await olga.get('files/metadata', { path })).body.data.sha256).toBeNull();
    for (const operation of ['files/info', 'files/metadata']) {
      const { data } = (await olga.get(operation, { path: folder, details })).body;
      expect(data).not.toHaveProperty('sha256');
    }
  });

  it('changes with new content at once', async () => {
    const path = `${folder}/new.txt`;
    for (const content of ['one', 'two', 'three']) {
      await olga.put({ path }, content);
      expect(await browse(olga, folder)).toMatchObject({ 'new.txt': sha256(content) });
    }
  });

  it('is that of each file of a listing in several parts', async () => {
    const names = Array.from({ length: 2_100 }, (_, number) => `${number}.txt`);
    await mkdir(household.at(`${box}/many`));
    for (const name of names) await writeFile(household.at(`${box}/many/${name}`), '');
    const uploaded = ['5.txt', '1500.txt', '2099.txt'];
    for (const name of uploaded) await olga.put({ path: `${folder}/many/${name}` }, name);
    const expected = Object.fromEntries(names.map((name) => [name, uploaded.includes(name) ? sha256(name) : null]));
    expect(await browse(olga, `${folder}/many`)).toEqual(expected);
    expect(await browse(olga, `${folder}/many`, { recursive: 1 })).toEqual(expected);
    await rm(household.at(`${box}/many`), { recursive: true });
  });
});

describe('the detail sha256 is omitted if the content may not be downloaded', () => {
  beforeEach(() => olga.put({ path: `${folder}/new.txt` }, 'content'));

  /** What a caller is told of the file, by operation. */
  async function told(api: ApiClient, path: string): Promise<(string | undefined)[]> {
    const above = path.slice(0, path.lastIndexOf('/'));
    const search = await api.post('files/search', { path: above, filename: 'new.txt', details });
    const metadata = await api.get('files/metadata', { path });
    return [
      (await browse(api, above))['new.txt'],
      hashesIn(search)['new.txt'],
      (await api.get('files/info', { path, details })).body.data.sha256,
      metadata.body.data.sha256,
    ].map((hash) => hash ?? undefined);
  }
  const known = Array.from({ length: 4 }, () => sha256('content'));
  const unknown = known.map(() => undefined);
  const pathFor = async (id: number) => `/ROOT/${household.ids.olga}/${id}/new.txt`;

  it('through a share', async () => {
    const ben = household.as('ben');
    const id = await household.share(folder, { uid: household.ids.ben, upload: 1, alter: 1, download: 0 });
    expect(await told(ben, await pathFor(id))).toEqual(unknown);
    await household.share(folder, { uid: household.ids.ben, download: 1 });
    expect(await told(ben, await pathFor(id))).toEqual(known);
  });

  it('with an account without the permission', async () => {
    const sam = household.as('sam');
    await sam.put({ path: '/ROOT/HOME/new.txt' }, 'content');
    expect(await told(sam, '/ROOT/HOME/new.txt')).toEqual(known);
    await setPermissions(household, { sam: { download: false } });
    expect(await told(sam, '/ROOT/HOME/new.txt')).toEqual(unknown);
  });

  it('with a token without the scope', async () => {
    const path = '/ROOT/HOME/own/new.txt';
    await (await household.signIn()).put({ filePath: path }, 'content');
    expect(await told(await household.signIn('list metadata download'), path)).toEqual(known);
    const limited = await household.signIn('list metadata upload');
    expect(await told(limited, path)).toEqual(unknown);
    const { body } = await limited.put({ path }, 'content');
    expect(body.data).not.toHaveProperty('unchanged');
    const refused = await limited.put({ path }, 'guess', { 'If-Match': '"other"' });
    expect([refused.status, refused.body.details]).toEqual([412, { etag: null }]);
  });
});
