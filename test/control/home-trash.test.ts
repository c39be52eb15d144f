import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createArea } from '../../dist/server/storage/homes/create-area.js';
import { sampled } from '../support/forms.ts';
import { type OpenHomeFolders, openHomeFolders, signInAs } from '../support/households/home-folders.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { ApiClient } from '../support/requests/api-client.ts';
import { t } from '../support/server-texts.ts';

let household: Household;
let disk: string;

beforeEach(async () => {
  household = await openHousehold();
  disk = await mkdtemp(join(await realpath(tmpdir()), 'larder-test-'));
});
afterEach(async () => {
  await household.close();
  await rm(disk, { recursive: true, force: true });
});

/** Something that administrators do, on the folder of the stopped server. */
async function between<T>(work: (open: OpenHomeFolders) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await household.whileStopped(async () => {
    const open = await openHomeFolders(household.folder);
    try {
      result = { value: await work(open) };
    } finally {
      await open.close();
    }
  });
  if (result === undefined) throw new Error('nothing was done');
  return result.value;
}

const PLACES = ['inside', 'outside'] as const;
type PlaceKind = (typeof PLACES)[number];
const rootOf = (kind: PlaceKind) => (kind === 'inside' ? join(household.folder, 'homes', 'mia') : join(disk, 'Mia'));

/** Mia has a file of two contents, one in a folder, and one in the trash. */
async function withMia(kind: PlaceKind): Promise<string> {
  const id = await between(async (open) => {
    const created = await open.homeFolders.create(rootOf(kind), { adopt: false, by: 'owner' });
    await open.give('mia', created);
    return created.homeId;
  });
  const api = await signInAs(household, 'mia');
  for (const content of ['first', 'second']) await api.put({ path: '/ROOT/HOME/doc.txt' }, content);
  await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'folder' });
  for (const name of ['a.txt', 'b.txt']) await api.put({ path: `/ROOT/HOME/folder/${name}` }, name);
  await api.post('files/delete', { path: '/ROOT/HOME/folder/b.txt' });
  return id;
}

const deleteMia = (id: string) => between((open) => open.take('mia', id));

async function expectAllOfMia(api: ApiClient): Promise<void> {
  const list = async (path: string) =>
    (await api.get('files/browse', { path, recursive: 1 })).body.data.files.map((file: { path: string }) => file.path);
  expect(await list('/ROOT/HOME')).toEqual(['/ROOT/HOME/folder', '/ROOT/HOME/folder/a.txt', '/ROOT/HOME/doc.txt']);
  const versions = [1, 2].map((version) => api.get('files/download', { path: '/ROOT/HOME/doc.txt', version }));
  expect((await Promise.all(versions)).map(({ bytes }) => bytes.toString())).toEqual(['first', 'second']);
  const [trashed] = await list('/TRASH');
  expect((await api.post('files/trash/restore', { path: trashed })).body.data.path).toBe('/ROOT/HOME/folder/b.txt');
}

const homes = async () => (await household.control('homes.list')).homes as Record<string, unknown>[];
const trashed = async () => (await household.control('homes.trash.list')).homes as Record<string, unknown>[];
const refusal = (method: string, id: string) =>
  household.control(method, { id }).then(
    (reply) => ({ reply }),
    ({ code, field, message }) => ({ code, field, message }),
  );
const doctor = async () => {
  const { ok, problems, notes } = await household.control('doctor');
  return { ok, problems, notes: (notes as string[]).filter((note) => /home|belongs|interrupted|mia/i.test(note)) };
};
const WELL = { ok: true, problems: [], notes: [] };
const contents = async (part: string) => (await readdir(join(household.folder, '.larder', part))).sort();

describe.each(sampled(PLACES, 1))('a home of a deleted account, %s of the appliance’s folder', (kind) => {
  it('moves to the trash and is restored with all its contents', async () => {
    const id = await withMia(kind);
    expect(await refusal('homes.trash.add', id)).toMatchObject({ field: 'homefolder', message: /home of an account/ });
    await deleteMia(id);
    const [, orphan] = await homes();
    expect(orphan).toMatchObject({ id, username: 'mia', accountId: null, orphaned: true, online: true, usedBytes: 21 });
    expect(existsSync(join(rootOf(kind), 'doc.txt'))).toBe(true);

    const put = await household.control('homes.trash.add', { id });
    expect(put).toMatchObject({ id, username: 'mia', originalPath: rootOf(kind), online: true, usedBytes: 21 });
    expect(await trashed()).toEqual([put]);
    expect(put.path).toBe(join(household.folder, '.larder', 'trash', 'homes', id));
    expect(existsSync(rootOf(kind))).toBe(false);
    expect(await homes()).toHaveLength(1);
    expect(await doctor()).toEqual(WELL);
    household.clock.advance(40 * 24 * 3_600_000);
    await household.larder.maintenance();
    await household.restart();
    expect(await trashed()).toEqual([put]);

    expect(await household.control('homes.trash.restore', { id })).toMatchObject({
      id,
      path: rootOf(kind),
      orphaned: true,
    });
    expect(await trashed()).toEqual([]);
    expect(await doctor()).toEqual(WELL);
    await between(async (open) => open.give('mia', await open.homeFolders.create(rootOf(kind), { adopt: true })));
    await expectAllOfMia(await signInAs(household, 'mia'));
    expect(await doctor()).toEqual(WELL);
    const { entries } = (await household.control('activity.list', { kinds: ['home.trashed', 'home.restored'] })) as {
      entries: Record<string, unknown>[];
    };
    expect(entries).toMatchObject([
      { kind: 'home.restored', username: 'ann', subject: rootOf(kind), details: { of: 'mia' } },
      { kind: 'home.trashed', username: 'ann', subject: rootOf(kind), details: { of: 'mia' } },
    ]);
  });

  it('is deleted permanently with its versions and its trash, and nothing else', async () => {
    const ann = await household.signIn();
    for (const content of ['one', 'two']) await ann.put({ path: '/ROOT/HOME/ann.txt' }, content);
    await ann.put({ path: '/ROOT/HOME/gone.txt' }, 'gone');
    await ann.post('files/delete', { path: '/ROOT/HOME/gone.txt' });
    const before = [await contents('versions'), (await contents('trash')).filter((name) => name !== 'homes')];
    const id = await withMia(kind);
    await deleteMia(id);
    expect(await refusal('homes.trash.delete', id)).toMatchObject({
      field: 'id',
      message: /no such home in the trash/,
    });
    await household.control('homes.trash.add', { id });
    expect(await household.control('homes.trash.delete', { id })).toEqual({ id });
    expect(await trashed()).toEqual([]);
    expect(await contents('trash')).toEqual([...(before[1] ?? []), 'homes'].sort());
    expect(await contents('versions')).toEqual(before[0]);
    expect(await readdir(join(household.folder, '.larder', 'trash', 'homes'))).toEqual([]);
    expect(await refusal('homes.trash.delete', id)).toMatchObject({ field: 'id' });
    expect(await doctor()).toEqual(WELL);
    await between(async (open) =>
      expect(await open.database.all('SELECT id FROM items WHERE home_id = ?', [id])).toEqual([]),
    );
  });

  it('is not restored over something in its place', async () => {
    const id = await withMia(kind);
    await deleteMia(id);
    await household.control('homes.trash.add', { id });
    await mkdir(rootOf(kind));
    expect(await refusal('homes.trash.restore', id)).toMatchObject({ field: 'id', message: /Something is at/ });
    await rm(rootOf(kind), { recursive: true });
    await between(async (open) =>
      open.give('eve', await open.homeFolders.create(rootOf(kind), { adopt: false, by: 'owner' })),
    );
    expect(await refusal('homes.trash.restore', id)).toMatchObject({ field: 'id', message: /Something is at/ });
    expect(await trashed()).toMatchObject([{ id, online: true }]);
    expect(await doctor()).toEqual(WELL);
  });

  it.each([
    ['storage.home.move', 'eperm', 'stays'],
    ['storage.home.move', 'eio', 'stays'],
    ['storage.home.moved', 'eio', 'went'],
  ] as const)('is where the record says after a failure at %s: %s', async (point, action, outcome) => {
    const id = await withMia(kind);
    await deleteMia(id);
    await household.restart({ failPoints: `${disk};${point}=${action}` });
    expect(await refusal('homes.trash.add', id)).not.toHaveProperty('reply');
    expect(existsSync(join(disk, `${point}.reached`))).toBe(true);
    await household.restart({ failPoints: '' });
    expect(await doctor()).toEqual(WELL);
    expect((await trashed()).map((home) => home.id)).toEqual(outcome === 'went' ? [id] : []);
    if (outcome === 'stays') await household.control('homes.trash.add', { id });

    await household.restart({ failPoints: `${disk};${point}=${action}` });
    expect(await refusal('homes.trash.restore', id)).not.toHaveProperty('reply');
    await household.restart({ failPoints: '' });
    expect(await doctor()).toEqual(WELL);
    expect((await trashed()).map((home) => home.id)).toEqual(outcome === 'went' ? [] : [id]);
    if (outcome === 'stays') await household.control('homes.trash.restore', { id });
    await between(async (open) => open.give('mia', await open.homeFolders.create(rootOf(kind), { adopt: true })));
    await expectAllOfMia(await signInAs(household, 'mia'));
  });

  it.each(['files.home.erase', 'files.home.erased'])('is deleted permanently after a failure at %s', async (point) => {
    const id = await withMia(kind);
    await deleteMia(id);
    await household.control('homes.trash.add', { id });
    await household.restart({ failPoints: `${disk};${point}=eio` });
    expect(await refusal('homes.trash.delete', id)).not.toHaveProperty('reply');
    await household.restart({ failPoints: '' });
    expect(await readdir(join(household.folder, '.larder', 'trash', 'homes'))).toEqual([]);
    expect([await contents('versions'), await contents('trash')]).toEqual([[], ['homes']]);
    expect(await doctor()).toEqual(WELL);
  });
});

/** Memory that looks like a disk: another one than that of temporary files. */
const OTHER_DISK = '/dev/shm';
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

describe('a home on a disk of its own', () => {
  it.skipIf(!hasOtherDisk)('is kept on that disk, beside its former place', async () => {
    const other = await mkdtemp(join(OTHER_DISK, 'larder-test-'));
    try {
      const root = join(other, 'mia');
      const id = randomUUID();
      // The other disk here is memory of the system, which may not be chosen: the home is laid there by hand.
      await mkdir(root);
      await writeFile(join(root, '.larder-home'), `${id}\n`);
      await createArea(join(root, '.larder-area'));
      await between((open) => open.database.write((tx) => open.homes.add(tx, id, root)));
      await writeFile(join(root, 'a.txt'), 'a');
      const kept = join(other, '.larder-area', 'trash', 'homes', id);
      expect(await household.control('homes.trash.add', { id })).toMatchObject({ path: kept, originalPath: root });
      expect((await readdir(kept)).sort()).toEqual(['.larder-area', '.larder-home', 'a.txt']);
      expect(await doctor()).toMatchObject({ ok: true, problems: [] });
      await household.control('homes.trash.restore', { id });
      expect(await readdir(other)).toEqual(['mia']);
      await household.control('homes.trash.add', { id });
      await household.restart({ failPoints: `${disk};files.home.erase=eio` });
      expect(await refusal('homes.trash.delete', id)).not.toHaveProperty('reply');
      expect(existsSync(join(kept, 'a.txt'))).toBe(true);
      // With the disk away nothing is known to be gone: it is finished when it is back.
      await household.whileStopped(() => rename(other, `${other}.away`), { failPoints: '' });
      expect(existsSync(join(`${other}.away`, '.larder-area', 'trash', 'homes', id, 'a.txt'))).toBe(true);
      await household.whileStopped(() => rename(`${other}.away`, other));
      expect(await readdir(other)).toEqual([]);
      expect(await doctor()).toMatchObject({ ok: true, problems: [] });
    } finally {
      for (const path of [other, `${other}.away`]) await rm(path, { recursive: true, force: true });
    }
  });

  it('on a disconnected disk stays, and is removed only if the owner agrees', async () => {
    const id = await withMia('outside');
    expect(await refusal('homes.forget', id)).toMatchObject({ message: /The folder of this home is there/ });
    await deleteMia(id);
    await rename(join(disk, 'Mia'), join(disk, 'away'));
    expect(await refusal('homes.trash.add', id)).toMatchObject({ message: /not connected/ });
    expect((await doctor()).ok).toBe(false);
    await mkdir(join(disk, 'Mia'));
    await writeFile(join(disk, 'Mia', 'of somebody.txt'), 'x');
    expect(await household.control('homes.forget', { id })).toEqual({ id });
    expect(await readdir(join(disk, 'Mia'))).toEqual(['of somebody.txt']);
    expect(await homes()).toHaveLength(1);
    expect(await doctor()).toEqual(WELL);
  });

  it('waits for the operations in it', async () => {
    const id = await withMia('inside');
    await between(async (open) => {
      await open.take('mia', id);
      let done = () => {};
      const held = open.pathLocks.run([`${id}/folder`], () => new Promise<void>((resolve) => (done = resolve)));
      const refused = await open.homeFolders
        .moveToTrash(id, 'mia', { channel: 'larder', account: null, client: null, address: null })
        .then(
          () => 'moved',
          (error) => error.message,
        );
      expect(refused).toBe(t('api.homes.busy'));
      done();
      await held;
    });
    expect(await trashed()).toEqual([]);
  });

  it('is not visible through the API while it is in the trash', async () => {
    const id = await withMia('inside');
    const api = await signInAs(household, 'mia');
    await deleteMia(id);
    await household.control('homes.trash.add', { id });
    const { port, ca } = household;
    const again = new ApiClient({ port, ca, basePath: '', ...(api.token_ === undefined ? {} : { token: api.token_ }) });
    expect((await again.get('files/browse', { path: '/ROOT/HOME' })).status).toBe(401);
    for (const method of ['homes.trash.add', 'homes.trash.restore', 'homes.trash.delete', 'homes.forget']) {
      for (const odd of ['', '../..', `${id}\0`, 'homes']) {
        expect(await refusal(method, odd)).toMatchObject({ code: 'invalid_input', message: /no such home/ });
      }
    }
  });
});
