import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAlbums } from '../../dist/server/albums/albums.js';
import { addAlbum, deleteAlbum } from '../../dist/server/albums/change-albums.js';
import { visibleAlbum, visibleAlbums } from '../../dist/server/albums/visible-albums.js';
import { systemClock } from '../../dist/server/lib/clock.js';
import type { CredentialGrant } from '../../dist/server/oauth/credential-grant.js';
import { SCOPES } from '../../dist/server/oauth/scopes.js';
import { PeopleOnDisk } from '../support/households/people-on-disk.ts';

let people: PeopleOnDisk;
let folder = '';
let album = '';
beforeAll(async () => {
  people = await PeopleOnDisk.open();
  folder = (await people.disk.folder('box')).uuid;
  album = (await addAlbum(context(), await caller({}), 'Summer')).uuid;
});
afterAll(() => people.close());

function context() {
  const { access, disk } = people;
  return { access, database: disk.database.files, albums: createAlbums(disk.database.files, systemClock) };
}

const ALL: CredentialGrant = {
  ...{ id: 'app-password:1', scopes: new Set(SCOPES), rootUuid: null, isReadOnly: false, expiresAt: null },
};
const caller = async (changes: Partial<CredentialGrant>) => ({
  ...(await people.caller(people.ann)),
  credential: { ...ALL, ...changes },
});
const titles = async (changes: Partial<CredentialGrant>) =>
  (await visibleAlbums(context(), await caller(changes))).map(({ title }) => title);

describe('a credential', () => {
  it('cannot access albums or favourites if it is limited to a folder', async () => {
    const limited = await caller({ rootUuid: folder });
    const notFound = expect.objectContaining({ code: 'not_found' });
    await expect(visibleAlbums(context(), limited)).rejects.toEqual(notFound);
    for (const name of [album, 'favourites'])
      await expect(visibleAlbum(context(), limited, name)).rejects.toEqual(notFound);
    await expect(addAlbum(context(), limited, 'Mine')).rejects.toEqual(notFound);
    await expect(deleteAlbum(context(), limited, album)).rejects.toEqual(notFound);
    expect(await titles({})).toEqual(['Favourites', 'Summer']);
  });

  it('cannot change albums if it is read-only', async () => {
    const reading = await caller({ isReadOnly: true });
    const denied = expect.objectContaining({ code: 'permission_denied' });
    await expect(addAlbum(context(), reading, 'Mine')).rejects.toEqual(denied);
    await expect(deleteAlbum(context(), reading, album)).rejects.toEqual(denied);
    expect(await titles({ isReadOnly: true })).toEqual(['Favourites', 'Summer']);
  });

  it('requires the scopes of the operations', async () => {
    const lacking = expect.objectContaining({ code: 'insufficient_scope' });
    await expect(visibleAlbums(context(), await caller({ scopes: new Set(['modify']) }))).rejects.toEqual(lacking);
    await expect(addAlbum(context(), await caller({ scopes: new Set(['list']) }), 'Mine')).rejects.toEqual(lacking);
  });
});
