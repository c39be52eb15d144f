import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { homeOf, setPermissions } from '../../support/households/member.ts';
import { rowsOf } from '../../support/requests/activity.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { listed, openSharingHousehold, outcome, type SharingHousehold } from '../../support/requests/sharing.ts';
import { eventually } from '../../support/system/eventually.ts';

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';
const EVERYTHING = { upload: 1, download: 1, comment: 1, read_comments: 1, alter: 1, share: 1 };
const NOT_FOUND = [404, 'not_found'];
let count = 0;
let box: string;
beforeEach(async () => {
  count += 1;
  box = `box${count}`;
  await household.put(`${box}/a.txt`, `${box}/sub/b.txt`);
});

const olga = () => household.as('olga');
const ben = () => household.as('ben');
const sam = () => household.as('sam');
const incoming = () => join(household.folder, '.larder', 'incoming');

/** Olga shares the box with Ben. @returns its path for him */
async function shared(flags: object = EVERYTHING): Promise<string> {
  return `/ROOT/${household.ids.olga}/${await household.share(`${HOME}/${box}`, { uid: household.ids.ben, ...flags })}`;
}

/** Olga puts another folder, which is her own, in the place of the one that she shares. */
async function exchange(): Promise<void> {
  for (const [name, newName] of [
    [box, `${box}-before`],
    [`${box}-own`, box],
  ]) {
    const reply = await olga().post('files/rename', { path: `${HOME}/${name}`, newName: newName ?? '' });
    if (reply.status !== 200) throw new Error(reply.text);
  }
}

describe('a folder whose name differs only in Unicode form', () => {
  it('is not shared instead of the deleted one', async () => {
    const [shared, own] = [`${box}Cafe\u0301`, `${box}Caf\u00e9`];
    await household.put(`${shared}/a.txt`, `${own}/secret.txt`);
    const id = await household.share(`${HOME}/${shared}`, { uid: household.ids.ben, ...EVERYTHING });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    await rm(household.at(shared), { recursive: true });
    await ben().put({ path: `${HOME}/${box}.txt` }, 'from Ben');
    const file = `${path}/secret.txt`;
    const replies = [
      await ben().get('files/download', { path: file }),
      await ben().get('files/download', { path }),
      await ben().get('files/browse', { path }),
      await ben().get('files/browse', { path, recursive: 1 }),
      await ben().post('files/search', { path, filename: 'secret' }),
      await ben().put({ path: file }, 'from Ben'),
      await ben().put({ filePath: `${path}/new/new.txt` }, 'from Ben'),
      await ben().post('files/createfolder', { path, name: 'new' }),
      await ben().post('files/rename', { path: file, newName: 'new.txt' }),
      await ben().post('files/move', { path: file, moveTo: HOME }),
      await ben().post('files/move', { path: `${HOME}/${box}.txt`, moveTo: path }),
      await ben().post('files/copy', { path: file, copyTo: HOME }),
      await ben().post('files/copy', { path, copyTo: HOME }),
      await ben().post('files/copy', { path: `${HOME}/${box}.txt`, copyTo: path }),
      await ben().post('files/zip', { 'paths[]': [path], target: HOME, archiveName: box }),
      await ben().post('files/delete', { path: file }),
      await ben().post('files/lock', { path: file }),
      await ben().post('files/share', { path: file, uid: household.ids.sam }),
      await ben().get('files/versions/list', { path: file }),
    ];
    expect(replies.map(outcome)).toEqual(replies.map(() => NOT_FOUND));
    expect(await readdir(household.at(own))).toEqual(['secret.txt']);
    expect((await olga().get('files/download', { path: `${HOME}/${own}/secret.txt` })).text).toContain('secret.txt');
  });

  it('is not overwritten instead of a deleted file', async () => {
    const [shared, own] = [`${box}/e\u0301.txt`, `${box}/\u00e9.txt`];
    await household.put(shared, own);
    const id = await household.share(`${HOME}/${shared}`, { uid: household.ids.ben, ...EVERYTHING });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    await rm(household.at(shared));
    expect(outcome(await ben().put({ path }, 'from Ben'))).toEqual(NOT_FOUND);
    expect(outcome(await ben().get('files/download', { path }))).toEqual(NOT_FOUND);
    expect((await olga().get('files/download', { path: `${HOME}/${own}` })).text).toBe(`content of ${own}`);
  });
});

describe('an item that replaces a shared folder during a request', () => {
  beforeEach(async () => {
    await household.put(`${box}-own/secret.txt`);
  });

  /** Many files, so that copying them takes a while. */
  async function fill(folder: string, files = 1_500): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (let index = 0; index < files; index += 1) await writeFile(join(folder, `${index}.txt`), String(index));
  }

  const hasBegun = () =>
    eventually(
      async () => (await readdir(incoming())).length,
      (seen) => seen > 0,
    );

  const cases: readonly [string, (path: string, api: ApiClient) => Promise<unknown>][] = [
    ['a copy out of it', (path) => ben().post('files/copy', { path, copyTo: HOME })],
    ['an archive of it', (path) => ben().post('files/zip', { 'paths[]': [path], target: HOME, archiveName: box })],
    ['a copy into it', (path) => ben().post('files/copy', { path: `${HOME}/mine${box}`, copyTo: path })],
  ];
  for (const [what, work] of cases) {
    it(`receives nothing of ${what}, and reveals nothing`, async () => {
      await fill(household.at(`${box}/many`));
      await fill(join(homeOf(household, 'ben'), `mine${box}`));
      const path = await shared();
      const before = await readdir(homeOf(household, 'ben'));
      const [reply] = await Promise.all([work(path, ben()), hasBegun().then(exchange)]);
      expect(outcome(reply as never)).toEqual(NOT_FOUND);
      expect(await readdir(homeOf(household, 'ben'))).toEqual(before);
      expect(await readdir(household.at(box))).toEqual(['secret.txt']);
      expect(await readdir(household.at(`${box}-before`))).toEqual(['a.txt', 'many', 'sub']);
      expect(await readdir(incoming())).toEqual([]);
    });
  }

  it('ends a copy when the share ends', async () => {
    await fill(household.at(`${box}/many`));
    const path = await shared();
    const unshare = () => olga().post('files/unshare', { path: `${HOME}/${box}`, uid: household.ids.ben });
    const [reply] = await Promise.all([ben().post('files/copy', { path, copyTo: HOME }), hasBegun().then(unshare)]);
    expect(outcome(reply)).toEqual(NOT_FOUND);
    expect(await readdir(homeOf(household, 'ben'))).not.toContain(box);
  });

  it('is not sent as the rest of an archive', async () => {
    await writeFile(household.at(`${box}/a.bin`), Buffer.alloc(60_000_000));
    const { body } = await ben().open('GET', `/api.php/files/download?path=${await shared()}`);
    await exchange();
    const cutOff = () => household.logged().match(/"path":"[^"]*download","status":200,"ms":\d+,"complete":false/g);
    await eventually(
      () => cutOff()?.length ?? 0,
      (seen) => seen > 0,
    );
    const sent = body.arrayBuffer().then(
      (content) => Buffer.from(content).includes('secret.txt'),
      () => 'cut off',
    );
    expect(await sent).toBe('cut off');
    await rm(household.at(`${box}-before/a.bin`));
  });

  itInFull('does not affect a download in progress', async () => {
    const content = Buffer.alloc(20_000_000, 'x');
    await writeFile(household.at(`${box}/a.bin`), content);
    const { body } = await ben().open('GET', `/api.php/files/download?path=${await shared()}/a.bin`);
    await exchange();
    expect(Buffer.from(await body.arrayBuffer()).equals(content)).toBe(true);
  });
});

describe('sharing further while the share ends', () => {
  it('is refused like a missing item, and never an internal error', async () => {
    for (let round = 0; round < 10; round += 1) {
      const path = await shared();
      const [ended, handedOn] = await Promise.all([
        olga().post('files/unshare', { path: `${HOME}/${box}`, uid: household.ids.ben }),
        ben().post('files/share', { path: round % 2 === 0 ? path : `${path}/a.txt`, uid: household.ids.sam }),
      ]);
      expect(ended.status).toBe(200);
      expect([200, 404]).toContain(handedOn.status);
      expect((await sam().get('files/browse', { path: '/ROOT/SHARED' })).body.data.files).toEqual([]);
    }
  });

  itInFull('in both directions ends with the original share', async () => {
    let path = await shared();
    for (let step = 0; step < 60; step += 1) {
      const [from, to] = step % 2 === 0 ? (['ben', 'sam'] as const) : (['sam', 'ben'] as const);
      const reply = await household.as(from).post('files/share', { path, uid: household.ids[to], ...EVERYTHING });
      expect(reply.status).toBe(200);
      path = `/ROOT/${household.ids[from]}/${reply.body.data.shareid}`;
    }
    expect((await ben().get('files/browse', { path })).body.data.meta.perms.alter).toBe(true);
    await olga().post('files/unshare', { path: `${HOME}/${box}`, uid: household.ids.ben });
    for (const api of [ben(), sam()]) expect((await api.get('files/browse', { path })).status).toBe(404);
  });

  it('logs the owner, through any chain of shares', async () => {
    // Ben has it from Olga and from Sam, and hands on both ways to Gil.
    const direct = await shared();
    const sams = await household.share(`${HOME}/${box}`, { uid: household.ids.sam, ...EVERYTHING });
    const again = { path: `/ROOT/${household.ids.olga}/${sams}`, uid: household.ids.ben, ...EVERYTHING };
    const { shareid } = (await sam().post('files/share', again)).body.data;
    const form = { uid: household.ids.gil, ...EVERYTHING };
    const first = (await ben().post('files/share', { path: direct, ...form })).body.data.shareid;
    await ben().post('files/share', { path: `/ROOT/${household.ids.sam}/${shareid}`, ...form });
    const path = `/ROOT/${household.ids.ben}/${first}`;
    const [row] = await rowsOf(household, () => household.as('gil').put({ path: `${path}/new.txt` }, 'x'));
    expect(row).toMatchObject({ username: 'gil', details: { of: 'olga' } });
  });
});

describe('isShared', () => {
  const isShared = async (api: ApiClient, path: string) =>
    (await api.get('files/browse', { path, 'details[]': 'isShared' })).body.data.files
      .filter((file: { isShared: boolean }) => file.isShared)
      .map(({ filename }: { filename: string }) => filename);
  const shares = async (api: ApiClient, path: string) =>
    listed(await api.get('files/browse', { path: '/SHARES' })).flatMap(([name, at]) => (at.includes(path) ? name : []));

  it('is true for items in /SHARES only', async () => {
    const path = await shared();
    await ben().post('files/share', { path: `${path}/sub`, uid: household.ids.sam });
    expect([await isShared(ben(), path), await shares(ben(), path)]).toEqual([['sub'], ['sub']]);
    expect(await isShared(olga(), `${HOME}/${box}`)).toEqual(['sub']);
    const granted: [Record<string, Record<string, boolean>>, string[], string[]][] = [
      [{ ben: { share: false } }, [], []],
      [{ ben: {}, olga: { share: false } }, [], []],
      [{ olga: {} }, ['sub'], ['sub']],
    ];
    for (const [permissions, bens, olgas] of granted) {
      await setPermissions(household, permissions);
      const seen = [await isShared(olga(), `${HOME}/${box}`), (await shares(olga(), box)).length > 0];
      expect(seen, JSON.stringify(permissions)).toEqual([olgas, permissions.olga?.share !== false]);
      expect(await shares(ben(), path)).toEqual(bens);
    }
  });
});

describe('the limits of everyone in the chain', () => {
  it('apply to a form with one path before its content, and another one after it', async () => {
    const direct = await household.share(`${HOME}/${box}`, { uid: household.ids.sam, upload: 1 });
    const { shareid } = (await ben().post('files/share', { path: await shared(), uid: household.ids.sam, upload: 1 }))
      .body.data;
    await setPermissions(household, { ben: { upload_max_size: 1 } });
    try {
      const form = new FormData();
      form.append('file', new Blob([Buffer.alloc(1_500_000)]));
      form.append('path', `/ROOT/${household.ids.ben}/${shareid}/big.bin`);
      const packed = new Response(form);
      const reply = await sam().send(
        'POST',
        `/api.php/files/upload?path=/ROOT/${household.ids.olga}/${direct}/big.bin`,
        {
          headers: { 'content-type': packed.headers.get('content-type') ?? '' },
          body: Buffer.from(await packed.arrayBuffer()),
        },
      );
      expect(outcome(reply)).toEqual([413, 'upload_too_large']);
      expect(await readdir(household.at(box))).toEqual(['a.txt', 'sub']);
    } finally {
      await setPermissions(household, { ben: {} });
    }
  });
});
