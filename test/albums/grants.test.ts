import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAlbums } from '../../dist/server/albums/albums.js';
import { addToAlbum } from '../../dist/server/albums/change-albums.js';
import { systemClock } from '../../dist/server/lib/clock.js';
import type { CredentialGrant } from '../../dist/server/oauth/credential-grant.js';
import { SCOPES } from '../../dist/server/oauth/scopes.js';
import { createAlbumShares } from '../../dist/server/shares/album-shares.js';
import { PeopleOnDisk } from '../support/households/people-on-disk.ts';

let people: PeopleOnDisk;
let ben = 0;
let guest = 0;
let folder = { id: 0, uuid: '' };
let album = '';
let albumId = 0;
let photo = { id: 0, uuid: '' };
/** The path of the photo for those who have it through the album. */
let path: string[] = [];

beforeAll(async () => {
  people = await PeopleOnDisk.open();
  ben = await people.add('ben');
  guest = await people.add('gran', { guestOf: people.ann });
  folder = await people.disk.folder('box');
  photo = await people.disk.file('box/photo.jpg');
});
afterAll(() => people.close());
beforeEach(async () => {
  const albums = createAlbums(people.disk.database.files, systemClock);
  const made = await albums.add(people.ann, 'Summer');
  [album, albumId] = [made.uuid, made.id];
  await albums.addItems(albumId, people.ann, [photo.id], { mayShare: false, mayLink: false });
  path = ['ALBUMS', album, photo.uuid];
});

const shares = () => createAlbumShares(people.disk.database.files, systemClock);
const shareWith = (uid: number) =>
  people.disk.database.write((tx) => shares().put(tx, albumId, { recipient: { uid, gid: null }, role: 'view' }));
const grantFor = async (id: number) => people.shared.albums.grant(await people.account(id), album, photo.uuid);
const ALL: CredentialGrant = {
  ...{ id: 'app-password:1', scopes: new Set(SCOPES), rootUuid: null, isReadOnly: false, expiresAt: null },
};

describe('the grant of an album', () => {
  it('exists for accounts it is shared with, but never for a guest', async () => {
    expect(await grantFor(ben)).toBeNull();
    await shareWith(ben);
    await shareWith(guest);
    expect((await grantFor(ben))?.path).toBe(`/ALBUMS/${album}/${photo.uuid}`);
    expect(await grantFor(guest)).toBeNull();
  });

  it('does not exist for the owner of the home', async () => {
    await shareWith(ben);
    expect(await grantFor(people.ann)).toBeNull();
  });

  it('reports a change when the album is no longer shared', async () => {
    await shareWith(ben);
    const grant = await grantFor(ben);
    expect(await grant?.isUnchanged()).toBe(true);
    await people.disk.database.write((tx) => shares().remove(tx, albumId, { uid: ben, gid: null }));
    expect(await grant?.isUnchanged()).toBe(false);
  });

  it('cannot be used with a credential limited to a folder, not even to the one that contains the photo', async () => {
    await shareWith(ben);
    const sharedFolder = await people.share({ itemId: folder.id, by: people.ann, to: ben });
    const caller = await people.caller(ben);
    expect(await people.access.resolve(caller, path)).toMatchObject({ kind: 'item' });
    const limited = { ...caller, credential: { ...ALL, rootUuid: folder.uuid } };
    const share = ['ROOT', String(people.ann), String(sharedFolder), 'photo.jpg'];
    expect(await people.access.resolve(limited, share)).toMatchObject({ kind: 'item' });
    await expect(people.access.resolve(limited, path)).rejects.toEqual(expect.objectContaining({ code: 'not_found' }));
    await people.unshare(sharedFolder);
  });

  it('requires the scope of each action', async () => {
    await shareWith(ben);
    const caller = { ...(await people.caller(ben)), credential: { ...ALL, scopes: new Set(['list']) } };
    await people.access.resolveItem(caller as never, path, 'files/browse');
    await expect(people.access.resolveItem(caller as never, path, 'files/download')).rejects.toEqual(
      expect.objectContaining({ code: 'insufficient_scope' }),
    );
  });

  it('ends when the owner of the album is deactivated', async () => {
    await shareWith(ben);
    await people.run('UPDATE accounts SET activated = 0 WHERE id = ?', people.ann);
    expect(await grantFor(ben)).toBeNull();
    await people.run('UPDATE accounts SET activated = 1 WHERE id = ?', people.ann);
    expect(await grantFor(ben)).not.toBeNull();
  });
});

describe('adding to an album that others can see', () => {
  const context = () => {
    const { access, disk, events } = people;
    const albums = createAlbums(disk.database.files, systemClock);
    return { access, database: disk.database.files, albums, events } as never;
  };
  const addWith = async (...scopes: (typeof SCOPES)[number][]) => {
    const caller = { ...(await people.caller(people.ann)), credential: { ...ALL, scopes: new Set(scopes) } };
    return addToAlbum(context(), caller, album, [{ uuid: photo.uuid }]);
  };
  const lacks = (scope: string) =>
    expect.objectContaining({ code: 'insufficient_scope', message: expect.stringContaining(scope) });

  it('requires the scope to share if it is shared', async () => {
    await addWith('modify');
    await shareWith(ben);
    await expect(addWith('modify', 'weblink')).rejects.toEqual(lacks('share'));
    await addWith('modify', 'share');
  });

  it('requires the scope to make links if it has one', async () => {
    await people.run(
      `INSERT INTO weblinks (id, item_id, creator_id, standing, created_at, download_limit, allow_uploads, allow_downloads,
         force_save, show_comments, show_comments_names, show_metadata, notify, download_terms, require_login, several, album_id)
       VALUES (?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', 0, 1, ?)`,
      album,
      photo.id,
      people.ann,
      albumId,
    );
    await expect(addWith('modify', 'share')).rejects.toEqual(lacks('weblink'));
    await addWith('modify', 'weblink');
    const albums = createAlbums(people.disk.database.files, systemClock);
    await expect(albums.addItems(albumId, people.ann, [photo.id], { mayShare: true, mayLink: false })).rejects.toEqual(
      expect.objectContaining({ code: 'permission_denied' }),
    );
  });
});

it('adds nothing to an album that was shared meanwhile, unless the caller may share', async () => {
  await shareWith(ben);
  const albums = createAlbums(people.disk.database.files, systemClock);
  const other = await people.disk.file('box/other.jpg');
  await expect(albums.addItems(albumId, people.ann, [other.id], { mayShare: false, mayLink: true })).rejects.toEqual(
    expect.objectContaining({ code: 'permission_denied' }),
  );
  // Ben only sees it.
  await expect(albums.addItems(albumId, ben, [other.id], { mayShare: true, mayLink: true })).rejects.toEqual(
    expect.objectContaining({ code: 'not_found' }),
  );
});
