import { mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itInFull, sampled } from '../../support/forms.ts';
import { openTwoHomes, PLACES, seenBy, type TwoHomes, uuidsOf } from '../../support/households/two-homes.ts';

describe.each(sampled(PLACES, 2))('a move into a home that is %s', (where) => {
  let two: TwoHomes;
  beforeAll(async () => {
    two = await openTwoHomes(where);
  });
  afterAll(() => two.close());
  beforeEach(async () => {
    for (const person of ['ann', 'mia'] as const) {
      for (const path of await topOf(person)) await two.api(person).post('files/delete', { path });
      await two.api(person).post('files/trash/empty');
    }
  });

  const topOf = async (person: 'ann' | 'mia') =>
    (await two.api(person).get('files/browse', { path: '/ROOT/HOME' })).body.data.files.map(
      ({ path }: { path: string }) => path,
    );
  const put = async (person: 'ann' | 'mia', path: string, ...contents: string[]) => {
    for (const content of contents) {
      const reply = await two.api(person).put({ filePath: `/ROOT/HOME/${path}` }, content);
      expect(reply.status, reply.text).toBeLessThan(300);
    }
  };
  /** Ann has a folder with versions of its files, and Mia a destination folder. */
  async function trees(): Promise<void> {
    await put('ann', 'trip/doc.txt', 'one', 'two', 'three');
    await put('ann', 'trip/deep/photo.jpg', 'a photo');
    await mkdir(join(two.roots.ann, 'trip', 'empty'));
    await put('mia', 'from ann/other.txt', 'other');
  }

  it('keeps the ETags of contents with unknown SHA-256, unless they were changed unnoticed', async () => {
    const names = ['same.bin', 'changed.bin', 'alone.bin', 'alone changed.bin'];
    const at = (name: string) => (name.startsWith('alone') ? name : `trip/${name}`);
    await mkdir(join(two.roots.ann, 'trip'));
    const write = async (name: string, content: string) => {
      await writeFile(join(two.roots.ann, at(name)), content);
      await utimes(join(two.roots.ann, at(name)), 1_600_000_000, 1_600_000_000);
    };
    for (const name of names) await write(name, 'by another program');
    const tagsOf = async (person: 'ann' | 'mia', below: string) => {
      const tags: Record<string, string> = {};
      for (const name of names) {
        const path = `/ROOT/HOME/${below}${at(name)}`;
        const { body } = await two.api(person).get('files/info', { path, 'details[]': ['etag', 'sha256'] });
        expect(body.data.sha256, name).toBeNull();
        tags[name] = body.data.etag;
      }
      return tags;
    };
    await put('mia', 'from ann/other.txt', 'other');
    await two.api('ann').get('files/browse', { path: '/ROOT/HOME', recursive: 1 });
    const before = await tagsOf('ann', '');
    for (const name of ['changed.bin', 'alone changed.bin']) await write(name, 'BY ANOTHER PROGRAM');
    for (const item of ['trip', 'alone.bin', 'alone changed.bin'])
      expect(await two.moveOne({ from: ['ann', item], to: ['mia', 'from ann'] })).toHaveProperty('path');
    const after = await tagsOf('mia', 'from ann/');
    for (const name of names) expect([name, after[name] === before[name]]).toEqual([name, !name.includes('changed')]);
    await two.expectAllWell();
  });

  itInFull('keeps the times of folders and files', async () => {
    await trees();
    const names = ['trip/doc.txt', 'trip/deep/photo.jpg', 'trip/deep', 'trip/empty', 'trip'];
    for (const [index, name] of names.entries()) {
      const time = new Date(Date.UTC(2001 + index, 4, 6));
      await utimes(join(two.roots.ann, name), time, time);
    }
    const timesIn = (folder: string) =>
      Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtime.getUTCFullYear()));
    const before = await timesIn(two.roots.ann);
    await two.moveOne({ from: ['ann', 'trip'], to: ['mia', 'from ann'] });
    expect(await timesIn(join(two.roots.mia, 'from ann'))).toEqual(before);
    expect(before).toEqual([2001, 2002, 2003, 2004, 2005]);
  });

  it('moves data, history, marks and quota, in both directions', async () => {
    await trees();
    const trip = '/ROOT/HOME/trip';
    await two.api('ann').post('files/lock', { path: `${trip}/doc.txt` });
    for (const path of [trip, `${trip}/doc.txt`]) await two.api('ann').post('files/star', { path });
    await two.api('ann').post('files/comments/add', { path: `${trip}/deep/photo.jpg`, comment: 'Nice' });
    const before = { seen: await seenBy(two, 'ann'), uuids: await uuidsOf(two, 'ann'), used: await used() };
    const marks = () =>
      two.rows(
        'SELECT item_id FROM stars UNION ALL SELECT item_id FROM locks UNION ALL SELECT item_id FROM comments ORDER BY 1',
      );
    const marked = await marks();
    expect(marked.length).toBe(4);
    const who = () => two.rows('SELECT uuid, changed_by FROM items ORDER BY uuid');
    const brought = await who();
    expect(await two.moveOne({ from: ['ann', 'trip'], to: ['mia', 'from ann'] })).toEqual({
      path: '/ROOT/HOME of mia/from ann/trip',
    });
    expect(await seenBy(two, 'ann')).toEqual({});
    const moved = Object.fromEntries(Object.entries(before.seen).map(([path, seen]) => [`from ann/${path}`, seen]));
    expect(await seenBy(two, 'mia')).toEqual({ 'from ann': 'folder', 'from ann/other.txt': ['other', 1], ...moved });
    const uuids = await uuidsOf(two, 'mia');
    for (const [path, uuid] of Object.entries(before.uuids)) expect(uuids[`from ann/${path}`]).toBe(uuid);
    expect([await marks(), await who()]).toEqual([marked, brought]);
    expect(await used()).toEqual({ ann: 0, mia: before.used.ann + before.used.mia });
    await two.expectAllWell();
    // A search finds it at its new location only.
    const found = async (person: 'ann' | 'mia') =>
      (await two.api(person).post('files/search', { path: '/ROOT/HOME', filename: 'photo' })).body.data.files.length;
    expect([await found('ann'), await found('mia')]).toEqual([0, 1]);
    const photos = async (person: 'ann' | 'mia') =>
      (await two.api(person).get('files/browse', { path: '/PHOTOS' })).body.data.files.map(
        ({ path }: { path: string }) => path,
      );
    expect([await photos('ann'), await photos('mia')]).toEqual([[], ['/ROOT/HOME/from ann/trip/deep/photo.jpg']]);
    // And back, by the account that has it locked.
    await two.moveOne({ as: 'ann', from: ['mia', 'from ann', 'trip'], to: ['ann'] });
    expect(await seenBy(two, 'ann')).toEqual(before.seen);
    expect(await uuidsOf(two, 'ann')).toEqual(before.uuids);
    expect(await used()).toEqual(before.used);
    await two.expectAllWell();
  });

  async function used(): Promise<Record<'ann' | 'mia', number>> {
    const rows = await two.rows<{ username: string; used: number }>(
      'SELECT username, used FROM accounts JOIN homes ON homes.id = home_id',
    );
    return Object.fromEntries(rows.map(({ username, used }) => [username, used])) as Record<'ann' | 'mia', number>;
  }

  itInFull('over a file retains the content and versions of the replaced file', async () => {
    await put('ann', 'doc.txt', 'mover 1', 'mover 2');
    await put('mia', 'doc.txt', 'target 1', 'target 2', 'target 3');
    const { 'doc.txt': uuid } = await uuidsOf(two, 'ann');
    const move = { from: ['ann', 'doc.txt'], to: ['mia'] } as const;
    expect(await two.moveOne(move)).toMatchObject({ code: 'already_exists' });
    expect(await two.moveOne({ ...move, overwrite: true })).toEqual({ path: '/ROOT/HOME of mia/doc.txt' });
    expect(await seenBy(two, 'mia')).toEqual({
      'doc.txt': ['mover 2', 5, '4: target 3', '3: target 2', '2: target 1', '1: mover 1'],
    });
    expect(await uuidsOf(two, 'mia')).toEqual({ 'doc.txt': uuid });
    await two.expectAllWell();
    await two.household.control('settings.update', { versionsKept: 0 });
    await put('ann', 'doc.txt', 'another');
    await two.moveOne({ ...move, overwrite: true });
    await two.household.control('settings.update', { versionsKept: 20 });
    expect(await seenBy(two, 'mia')).toEqual({ 'doc.txt': ['another', 1], '/TRASH': ['doc.txt'] });
    expect((await two.rows<{ path: string }>('SELECT original_path AS path FROM trash'))[0]?.path).toBe(
      '/ROOT/HOME/doc.txt',
    );
    await two.expectAllWell();
  });

  itInFull('deletes versions over the limit', async () => {
    await put('ann', 'doc.txt', 'mover 1', 'mover 2');
    await put('mia', 'doc.txt', 'target 1', 'target 2');
    await two.household.control('settings.update', { versionsKept: 2 });
    await two.moveOne({ from: ['ann', 'doc.txt'], to: ['mia'], overwrite: true });
    expect(await seenBy(two, 'mia')).toEqual({ 'doc.txt': ['mover 2', 4, '3: target 2', '2: target 1'] });
    await two.household.control('settings.update', { versionsKept: 20 });
    await two.expectAllWell();
  });

  it('leaves everything unchanged when it is refused', async () => {
    await trees();
    await put('mia', 'from ann/trip/in the way.txt', 'x');
    await put('mia', 'a file', 'x');
    await put('ann', 'a file/in a folder', 'x');
    const before = [await seenBy(two, 'ann'), await seenBy(two, 'mia')];
    const moved = await two.move({
      moves: [
        { from: ['ann'], to: ['mia'] },
        { from: ['ann', 'trip'], to: ['mia', 'from ann'] },
        { from: ['ann', 'trip'], to: ['mia', 'from ann'], overwrite: true },
        { from: ['ann', 'a file'], to: ['mia'], overwrite: true },
        { from: ['ann', 'trip'], to: ['mia', 'nowhere'] },
        { from: ['ann', 'trip'], to: ['mia', 'a file'] },
        { from: ['ann', 'nothing'], to: ['mia'] },
        { from: ['ann', '.larder-home'], to: ['mia'] },
        { from: ['ann', '.larder-home'], to: ['mia'], overwrite: true },
      ],
    });
    expect(moved?.results.map(({ code }) => code)).toEqual([
      'invalid_path',
      'already_exists',
      'already_exists',
      'already_exists',
      'not_found',
      'not_found',
      'not_found',
      'not_found',
      'not_found',
    ]);
    expect([await seenBy(two, 'ann'), await seenBy(two, 'mia')]).toEqual(before);
    await two.expectAllWell();
  });

  itInFull('is refused for types, quotas and locks', async () => {
    await trees();
    await put('mia', 'from ann/deep.txt', 'x');
    await put('ann', 'deep.txt', 'y');
    const before = [await seenBy(two, 'ann'), await seenBy(two, 'mia')];
    const { permissions } = (
      (await two.household.control('accounts.list')) as unknown as {
        accounts: { username: string; permissions: object }[];
      }
    ).accounts.find(({ username }) => username === 'mia') ?? { permissions: {} };
    const update = (changes: object) =>
      two.household.control('accounts.update', { username: 'mia', permissions: { ...permissions, ...changes } });
    const move = { as: 'mia', from: ['ann', 'trip'], to: ['mia', 'from ann'] } as const;
    await update({ upload_limit_types: 'txt' });
    expect(await two.moveOne(move)).toMatchObject({
      code: 'type_not_allowed',
      details: { path: '/ROOT/HOME of ann/trip/deep/photo.jpg' },
    });
    // Three present and old contents, a photo, and existing files: all of them count.
    await update({ upload_limit_types: '', space_quota_max: 1 });
    const megabyte = 1_048_576;
    await put('mia', 'large.bin', 'x'.repeat(megabyte - 'otherx'.length - 'onetwothreea photo'.length + 1));
    expect(await two.moveOne(move)).toMatchObject({ code: 'quota_exceeded', details: { needed: 18 } });
    await put('mia', 'large.bin', '');
    await two.api('mia').post('files/delete', { path: '/ROOT/HOME/large.bin', permanent: 1 });
    await update({ space_quota_max: 0 });
    await two.api('ann').post('files/lock', { path: '/ROOT/HOME/trip/doc.txt' });
    await two.api('mia').post('files/lock', { path: '/ROOT/HOME/from ann/deep.txt' });
    const moved = await two.move({
      moves: [move, { from: ['ann', 'deep.txt'], to: ['mia', 'from ann'], overwrite: true }],
    });
    expect(moved?.results.map(({ code }) => code)).toEqual(['locked', 'locked']);
    await two.api('ann').post('files/unlock', { path: '/ROOT/HOME/trip/doc.txt' });
    await two.api('mia').post('files/unlock', { path: '/ROOT/HOME/from ann/deep.txt' });
    expect([await seenBy(two, 'ann'), await seenBy(two, 'mia')]).toEqual(before);
    await two.expectAllWell();
  });

  it('emits one event with both homes', async () => {
    await put('ann', 'doc.txt', 'one');
    const moved = await two.move({ moves: [{ from: ['ann', 'doc.txt'], to: ['mia'] }] });
    const [ann, mia] = await two.rows<{ home: string }>('SELECT home_id AS home FROM accounts ORDER BY id');
    expect(moved?.told).toEqual([
      expect.objectContaining({
        homeId: mia?.home,
        path: '/ROOT/HOME of mia/doc.txt',
        from: '/ROOT/HOME of ann/doc.txt',
        isFolder: false,
        hasReplaced: false,
        between: { fromHomeId: ann?.home, fromOwner: 'ann', toOwner: 'mia' },
      }),
    ]);
  });

  itInFull('leaves items that another program removed from the folder with their home', async () => {
    await trees();
    // It has no versions to lose, but a comment.
    await two.api('ann').post('files/comments/add', { path: '/ROOT/HOME/trip/deep/photo.jpg', comment: 'Nice' });
    const { 'trip/doc.txt': uuid, 'trip/deep/photo.jpg': photo } = await uuidsOf(two, 'ann');
    await two.household.whileStopped(async () => {
      await rename(join(two.roots.ann, 'trip', 'doc.txt'), join(two.roots.ann, 'doc.txt'));
      await rename(join(two.roots.ann, 'trip', 'deep', 'photo.jpg'), join(two.roots.ann, 'photo.jpg'));
    });
    await two.moveOne({ from: ['ann', 'trip'], to: ['mia', 'from ann'] });
    await expect.poll(() => uuidsOf(two, 'ann')).toEqual({ 'doc.txt': uuid, 'photo.jpg': photo });
    expect(await seenBy(two, 'ann')).toEqual({
      'doc.txt': ['three', 3, '2: two', '1: one'],
      'photo.jpg': ['a photo', 1],
    });
    await two.expectAllWell();
  });

  itInFull('allows items deleted from the folder to be restored to their home', async () => {
    await trees();
    await two.api('ann').post('files/delete', { path: '/ROOT/HOME/trip/doc.txt' });
    await two.moveOne({ from: ['ann', 'trip'], to: ['mia', 'from ann'] });
    const { body } = await two.api('ann').get('files/browse', { path: '/TRASH' });
    const reply = await two.api('ann').post('files/trash/restore', { path: body.data.files[0].path });
    expect(reply.body.data).toEqual({ path: '/ROOT/HOME/doc.txt' });
    expect(await seenBy(two, 'ann')).toEqual({ 'doc.txt': ['three', 3, '2: two', '1: one'] });
    await two.expectAllWell();
  });

  itInFull('moves links, or leaves them in the trash of their home', async () => {
    await trees();
    await symlink('doc.txt', join(two.roots.ann, 'trip', 'deep', 'link'));
    await two.moveOne({ from: ['ann', 'trip'], to: ['mia', 'from ann'] });
    const moved = await readdir(join(two.roots.mia, 'from ann', 'trip'), { recursive: true });
    expect(moved.sort().filter((name) => !name.includes('link'))).toEqual([
      'deep',
      'deep/photo.jpg',
      'doc.txt',
      'empty',
    ]);
    const { body } = await two.api('ann').get('files/browse', { path: '/TRASH' });
    if (where === 'other disk') {
      const [left] = body.data.files;
      expect(left.filename).toBe('trip');
      const stored = join(two.areas.ann, 'trash', left.path.slice('/TRASH/'.length));
      expect((await readdir(stored, { recursive: true })).sort()).toEqual(['deep', 'deep/link']);
    } else expect([body.data.files, moved.includes('deep/link')]).toEqual([[], true]);
    await two.expectAllWell();
    await rm(join(two.roots.mia, 'from ann', 'trip', 'deep', 'link'), { force: true });
  });

  itInFull('may run concurrently with moves in both directions, without loss', async () => {
    for (const name of ['a', 'b', 'c']) await put('ann', `${name}/x.txt`, `${name} 1`, `${name} 2`);
    await writeFile(join(two.roots.mia, 'a file'), 'x');
    const there = (['a', 'b', 'c', 'a'] as const).map((name) => ({ from: ['ann', name], to: ['mia'] }) as const);
    const moved = await two.move({ moves: [there], reconciler: true });
    expect(moved?.results.filter(({ path }) => path !== undefined)).toHaveLength(3);
    expect(await seenBy(two, 'mia')).toMatchObject({
      'a/x.txt': ['a 2', 2, '1: a 1'],
      'c/x.txt': ['c 2', 2, '1: c 1'],
    });
    expect(await seenBy(two, 'ann')).toEqual({});
    await two.expectAllWell();
  });
});
