import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DisksUnder } from '../../../dist/server/storage/underlying-disks.js';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
let box = '';
let folder = '';
let olga: ApiClient;
/** A folder that counts as another disk. */
let usb = '';
let isCertain = true;

const disksUnder: DisksUnder = async (path) => {
  if (!isCertain) return null;
  const isUsb = path.startsWith(usb);
  return { name: isUsb ? 'usb' : '', disks: new Set([isUsb ? 'sdb' : 'sda']) };
};

beforeAll(async () => {
  usb = await mkdtemp(join(tmpdir(), 'larder-usb-'));
  household = await openSharingHousehold({ disksUnder });
  olga = household.as('olga');
});
afterAll(async () => {
  await household?.close();
  await rm(usb, { recursive: true, force: true });
});
beforeEach(async () => {
  isCertain = true;
  box = await household.newBox();
  folder = `/ROOT/HOME/${box}`;
  await household.control('settings.update', { backupFolder: '', backupFiles: true });
});

/** A file as an app has it. */
const having = (name: string, content: string) => ({
  name,
  size: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('hex'),
});

interface Item {
  name: string;
  stored: boolean;
  path?: string;
  etag?: string;
  backup: { disk: string; since: string } | null;
}

async function receipt(api: ApiClient, path: string, contents: readonly string[]): Promise<Item[]> {
  const items = JSON.stringify(contents.map((content) => having(content, content)));
  const { status, body } = await api.post('files/receipt', { path, items });
  expect(status).toBe(200);
  return body.data.items as Item[];
}

const storedIn = async (path: string, contents: readonly string[], api = olga) =>
  (await receipt(api, path, contents)).filter(({ stored }) => stored).map(({ name }) => name);

/** Those that are in a backup on another disk. */
const backedUpIn = async (path: string, contents: readonly string[], api = olga) =>
  (await receipt(api, path, contents)).filter(({ backup }) => backup !== null).map(({ name }) => name);

async function backUp(place = usb): Promise<{ path: string; name: string; madeAt: string }> {
  await household.control('settings.update', { backupFolder: place, backupFiles: true });
  return (await household.control('backup.make')) as { path: string; name: string; madeAt: string };
}

describe('files/receipt', () => {
  it('returns the path and ETag of each file, in the order of the request', async () => {
    await olga.put({ path: `${folder}/one.jpg` }, 'one');
    await olga.put({ path: `${folder}/sub/renamed.jpg` }, 'two');
    const [two, three, one, again] = await receipt(olga, folder, ['two', 'three', 'one', 'two']);
    expect(two).toMatchObject({ name: 'two', stored: true, path: `${folder}/sub/renamed.jpg`, backup: null });
    expect(three).toEqual({ name: 'three', stored: false, backup: null });
    expect(one).toMatchObject({ stored: true, path: `${folder}/one.jpg` });
    expect(again).toEqual(two);
    const head = await olga.get('files/info', { path: `${folder}/one.jpg`, 'details[]': 'etag' });
    expect(one?.etag).toBe(head.body.data.etag);
    expect(await storedIn(`${folder}/sub`, ['one', 'two'])).toEqual(['two']);
  });

  it('makes files known as missing that other programs have removed or replaced', async () => {
    for (const name of ['removed', 'replaced', 'kept']) await olga.put({ path: `${folder}/sub/${name}.jpg` }, name);
    await rm(household.at(`${box}/sub/removed.jpg`));
    await writeFile(household.at(`${box}/sub/other`), 'others');
    await rename(household.at(`${box}/sub/other`), household.at(`${box}/sub/replaced.jpg`));
    const all = ['removed', 'replaced', 'kept'];
    expect(await storedIn(folder, all)).toEqual(['kept']);
    const items = JSON.stringify(all.map((content) => having(content, content)));
    const { body } = await olga.post('files/known', { path: folder, items });
    expect(body.data.missing.map(({ name }: { name: string }) => name)).toEqual(['removed', 'replaced']);
  });

  it('does not confirm files in the trash, previous contents, or files removed or changed by other programs', async () => {
    await olga.put({ path: `${folder}/gone.jpg` }, 'gone');
    await olga.post('files/delete', { path: `${folder}/gone.jpg` });
    await olga.put({ path: `${folder}/changed.jpg` }, 'before');
    await olga.put({ path: `${folder}/changed.jpg` }, 'after');
    for (const name of ['removed', 'moved', 'edited', 'kept']) await olga.put({ path: `${folder}/${name}.jpg` }, name);
    await rm(household.at(`${box}/removed.jpg`));
    await rename(household.at(`${box}/moved.jpg`), join(usb, 'moved.jpg'));
    await writeFile(household.at(`${box}/edited.jpg`), 'Edited');
    const all = ['gone', 'before', 'after', 'removed', 'moved', 'edited', 'kept'];
    expect(await storedIn(folder, all)).toEqual(['after', 'kept']);
  });

  it('reads a file again if it was touched since its content was hashed', async () => {
    await olga.put({ path: `${folder}/same.jpg` }, 'same');
    await chmod(household.at(`${box}/same.jpg`), 0o640);
    expect(await storedIn(folder, ['same'])).toEqual(['same']);
  });

  it('confirms only files that the caller may download', async () => {
    await olga.put({ path: `${folder}/one.jpg` }, 'one');
    await olga.put({ path: '/ROOT/HOME/private.jpg' }, 'private');
    const id = await household.share(folder, { uid: household.ids.ben });
    const shared = `/ROOT/${household.ids.olga}/${id}`;
    const [one, other] = await receipt(household.as('ben'), shared, ['one', 'private']);
    expect([one?.path, other?.stored]).toEqual([`${shared}/one.jpg`, false]);
  });
});

describe('the backup in a receipt', () => {
  it('is a completed one on another disk, with the time of the first that contains the file', async () => {
    await olga.put({ path: `${folder}/one.jpg` }, 'one');
    expect(await backedUpIn(folder, ['one'])).toEqual([]);
    const { madeAt } = await backUp();
    const [one] = await receipt(olga, folder, ['one']);
    expect(one?.backup).toEqual({ disk: 'usb', since: new Date(madeAt).toISOString() });
    household.clock.advance(60_000);
    await olga.put({ path: `${folder}/two.jpg` }, 'two');
    expect(await backedUpIn(folder, ['one', 'two'])).toEqual(['one']);
    const second = await backUp();
    const [still, two] = await receipt(olga, folder, ['one', 'two']);
    expect(still?.backup).toEqual(one?.backup);
    expect(two?.backup?.since).toBe(new Date(second.madeAt).toISOString());
  });

  it('is null if it is on the same disk, or if the disk is unknown', async () => {
    await olga.put({ path: `${folder}/one.jpg` }, 'one');
    await backUp('');
    expect(await backedUpIn(folder, ['one'])).toEqual([]);
    await backUp();
    expect(await backedUpIn(folder, ['one'])).toEqual(['one']);
    isCertain = false;
    expect(await backedUpIn(folder, ['one'])).toEqual([]);
  });

  it('contains the file at its current path with its current content', async () => {
    for (const name of ['stays', 'moves', 'before']) await olga.put({ path: `${folder}/${name}.jpg` }, name);
    await backUp();
    await olga.post('files/move', { path: `${folder}/moves.jpg`, moveTo: `${folder}/sub` });
    await olga.put({ path: `${folder}/before.jpg` }, 'after');
    await olga.put({ path: `${folder}/before again.jpg` }, 'before');
    const all = ['stays', 'moves', 'before', 'after'];
    expect(await storedIn(folder, all)).toEqual(all);
    expect(await backedUpIn(folder, all)).toEqual(['stays']);
    await backUp();
    expect(await backedUpIn(folder, all)).toEqual(all);
  });

  it('is null after the copy, the backup or its disk is removed, or a check finds damage', async () => {
    await olga.put({ path: `${folder}/one.jpg` }, 'one');
    await olga.put({ path: `${folder}/two.jpg` }, 'two');
    const all = ['one', 'two'];
    const { path, name } = await backUp();
    expect(await backedUpIn(folder, all)).toEqual(all);
    const copies = join(path, 'files/homes/olga', box);
    await rename(usb, `${usb}-away`);
    expect(await backedUpIn(folder, all)).toEqual([]);
    await rename(`${usb}-away`, usb);
    expect(await backedUpIn(folder, all)).toEqual(all);
    await rm(join(copies, 'one.jpg'));
    expect(await backedUpIn(folder, all)).toEqual(['two']);
    await household.control('backup.verify', { name });
    expect(await backedUpIn(folder, all)).toEqual([]);
    const next = await backUp();
    expect(await backedUpIn(folder, all)).toEqual(all);
    await household.control('backup.remove', { name: next.name });
    expect(await backedUpIn(folder, all)).toEqual([]);
  });
});
