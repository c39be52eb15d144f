import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

let household: Household;
let api: ApiClient;
let dav: DavClient;
let name = '';
let box = '';
let next = 0;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  dav = await davClient(api);
});
afterAll(() => household?.close());
beforeEach(async () => {
  next += 1;
  name = `box${next}`;
  box = `/My%20files/${name}`;
  await dav.send('MKCOL', box);
  for (const file of ['Photo.jpg', '._Photo.jpg', '.DS_Store', 'Thumbs.db', 'Desktop.ini', '.profile']) {
    expect((await dav.put(`${box}/${file}`, `content of ${file}`)).status).toBe(201);
  }
});

const ALL = ['._Photo.jpg', '.DS_Store', '.profile', 'Desktop.ini', 'Photo.jpg', 'Thumbs.db'].sort();
const namesOf = (reply: { body: { data: { files: { filename: string }[] } } }) =>
  reply.body.data.files.map(({ filename }) => filename).sort();
const listed = (query: Record<string, string | number> = {}) =>
  api.get('files/browse', { path: `/ROOT/HOME/${name}`, ...query });
const onDisk = async () => (await readdir(join(household.home, name))).sort();

describe('files that operating systems store for themselves', () => {
  it('are listed by the API and WebDAV, unless an app leaves them out', async () => {
    expect(namesOf(await listed())).toEqual(ALL);
    expect(namesOf(await listed({ hidden: 0 }))).toEqual(['.profile', 'Photo.jpg']);
    expect(namesOf(await listed())).toEqual(ALL);
    expect((await listed({ limit: 1 })).body.data.meta.total).toBe(ALL.length);
    expect((await listed({ limit: 1, hidden: 0 })).body.data.meta.total).toBe(2);
    const tree = (query: Record<string, number>) =>
      api.get('files/browse', { path: '/ROOT/HOME', recursive: 1, ...query });
    expect(namesOf(await tree({}))).toContain('.DS_Store');
    expect(namesOf(await tree({ hidden: 0 }))).not.toContain('.DS_Store');
    const { text } = await dav.propfind(box, '1');
    for (const one of ALL) expect(text).toContain(`/dav${box}/${encodeURIComponent(one)}</d:href>`);
  });

  it('have no versions, with every way of replacing their content', async () => {
    const versionsOf = async (file: string) =>
      (await api.get('files/versions/list', { path: `/ROOT/HOME/${name}/${file}` })).body.data.versions.length;
    for (const file of ALL) {
      const path = `/ROOT/HOME/${name}/${file}`;
      await api.put({ path }, 'by the API');
      expect((await dav.put(`${box}/new`, 'moved over it')).status).toBe(201);
      expect((await dav.transfer('MOVE', `${box}/new`, `${box}/${file}`)).status).toBe(204);
      const isKept = file === '.profile' || file === 'Photo.jpg';
      expect([file, await versionsOf(file)]).toEqual([file, isKept ? 3 : 1]);
    }
  });

  it('are not found by searches, and not listed as photos', async () => {
    const found = await api.post('files/search', { path: `/ROOT/HOME/${name}`, filename: 'photo' });
    expect(namesOf(found)).toEqual(['Photo.jpg']);
    const ini = await api.post('files/search', { path: `/ROOT/HOME/${name}`, filename: 'desktop' });
    expect(namesOf(ini)).toEqual([]);
    const photos = namesOf(await api.get('files/browse', { path: '/PHOTOS' }));
    expect(photos).toContain('Photo.jpg');
    expect(photos).not.toContain('._Photo.jpg');
  });

  it('are copied and moved with their folder', async () => {
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: `to ${name}` });
    const copied = await api.post('files/copy', { path: `/ROOT/HOME/${name}`, copyTo: `/ROOT/HOME/to ${name}` });
    expect(copied.status).toBe(200);
    expect((await readdir(join(household.home, `to ${name}`, name))).sort()).toEqual(ALL);
  });

  it('are deleted, restored and deleted permanently with their file', async () => {
    const path = `/ROOT/HOME/${name}/Photo.jpg`;
    const { body } = await api.post('files/delete', { path });
    expect(await onDisk()).toEqual(ALL.filter((one) => !one.includes('Photo')));
    expect(namesOf(await api.get('files/browse', { path: '/TRASH', hidden: 0 }))).not.toContain('._Photo.jpg');
    expect(namesOf(await api.get('files/browse', { path: '/TRASH' }))).toContain('._Photo.jpg');
    await api.post('files/trash/restore', { path: body.data.trash_path });
    expect(await onDisk()).toEqual(ALL);
    await api.post('files/delete', { path, permanent: 1 });
    expect(await onDisk()).toEqual(ALL.filter((one) => !one.includes('Photo')));
  });

  it('can be deleted themselves', async () => {
    expect((await dav.send('DELETE', `${box}/._Photo.jpg`)).status).toBe(204);
    expect(await onDisk()).toEqual(ALL.filter((one) => one !== '._Photo.jpg'));
    expect((await dav.send('DELETE', `${box}/Photo.jpg`)).status).toBe(204);
  });
});
