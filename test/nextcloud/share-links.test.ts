import { readFile, rename } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../dist/server/lib/clock.js';
import { localSeconds } from '../../dist/server/lib/datetime.js';
import { setPermissions } from '../support/households/member.ts';
import { type LinkHousehold, openLinkHousehold } from '../support/requests/links.ts';
import { type Form, type SharingApp, sharingAppOf } from './sharing-support.ts';

/*
 * Certain, from published sources of clients: the parameters, `url` and `token`, the format of `expiration`, and that an app sends
 * everything again when it changes one thing. Assumed: that apps accept an address of any form.
 */

let household: LinkHousehold;
let olga: SharingApp;
let box = '';

beforeAll(async () => {
  household = await openLinkHousehold();
  olga = await sharingAppOf(household, 'olga');
});
afterAll(() => household?.close());
beforeEach(async () => {
  box = await household.newBox();
});

const link = (form: Form = {}, path = `/${box}`) => olga.post({ path, shareType: 3, ...form });
const details = () => household.details('/ROOT/HOME', box);
const day = (time: number) => localSeconds(time).slice(0, 10);

describe('a link', () => {
  it('is described with the fields that apps read, and can be opened by everyone', async () => {
    const { status, data } = await link({}, `/${box}/a.txt`);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      ...{ share_type: 3, permissions: 1, can_edit: true, can_delete: true, uid_owner: 'olga', expiration: null },
      ...{ path: `/${box}/a.txt`, item_type: 'file', share_with: null, password: null, hide_download: 0 },
      ...{ token: expect.stringMatching(/^\w{32}$/), url: `${household.api.base}/wl/?id=${data.token}` },
    });
    // The numbers of links and of shares with people are never the same.
    expect(Number(data.id) % 2).toBe(1);
    expect((await household.visit(data.token)).status).toBe(200);
    expect((await olga.get('/shares', { path: `/${box}/a.txt` })).data).toEqual([data]);
    expect((await olga.get('/shares', { path: `/${box}`, subfiles: 'true' })).data).toEqual([data]);
    expect(await olga.delete(data.id)).toMatchObject({ status: 200, data: [] });
    expect((await household.visit(data.token)).status).toBe(404);
    expect((await olga.get(`/shares/${data.id}`)).status).toBe(404);
  });

  const [read, request, both] = [
    { allow_uploads: false, allow_downloads: false },
    { allow_uploads: true, allow_downloads: false },
    { allow_uploads: true, allow_downloads: true },
  ];
  it.each<[Form, number, object]>([
    [{}, 1, read],
    [{ permissions: 1 }, 1, read],
    [{ permissions: 3 }, 1, read],
    [{ permissions: 17 }, 1, read],
    [{ permissions: 4 }, 4, request],
    [{ permissions: 5 }, 5, both],
    [{ permissions: 15 }, 5, both],
    [{ permissions: 31 }, 5, both],
    [{ publicUpload: 'true' }, 5, both],
    [{ publicUpload: 'false' }, 1, read],
    [{ publicUpload: 'true', permissions: 1 }, 1, read],
    [{ publicUpload: 'false', permissions: 4 }, 4, request],
  ])('of a folder with %j grants %i, in agreement with the API', async (form, granted, shown) => {
    const { data } = await link(form);
    expect(data.permissions).toBe(granted);
    expect(await details()).toMatchObject(shown);
    expect((await olga.put(data.id, { permissions: 1 })).data.permissions).toBe(1);
    expect(await details()).toMatchObject(read);
    expect(
      (await olga.put(data.id, form.permissions === undefined ? { publicUpload: 'false', ...form } : form)).status,
    ).toBe(200);
    expect(await details()).toMatchObject(shown);
  });

  it.each([
    [1, 1],
    [3, 1],
    [15, 1],
    [31, 1],
  ])('of a file with the bits %i grants %i', async (permissions, granted) => {
    expect((await link({ permissions }, `/${box}/a.txt`)).data.permissions).toBe(granted);
  });

  it('has the requested password and expiry, which can be changed separately or together', async () => {
    const [first, later] = [day(household.clock.now() + DAY), day(household.clock.now() + 9 * DAY)];
    const { data } = await link({ password: 'sesame', expireDate: first });
    expect(data).toMatchObject({ expiration: `${first} 00:00:00`, password: '***', share_with: '***' });
    expect(JSON.stringify(data)).not.toContain('sesame');
    expect(await details()).toMatchObject({ password: true, expiry: `${first} 23:59:59` });
    expect((await household.visit(data.token)).text).toContain('type="password"');
    expect((await olga.put(data.id, { expireDate: later })).data.expiration).toBe(`${later} 00:00:00`);
    expect(await details()).toMatchObject({ password: true, expiry: `${later} 23:59:59` });
    // Everything is sent again, as it was told.
    const again = { permissions: 1, publicUpload: 'false', hideDownload: 'false', expireDate: `${later} 00:00:00` };
    expect((await olga.put(data.id, { ...again, note: '', label: '' })).data.password).toBe('***');
    expect(await details()).toMatchObject({ expiry: `${later} 23:59:59` });
    expect((await olga.put(data.id, { password: '' })).data.password).toBeNull();
    expect((await olga.put(data.id, { expireDate: '' })).data.expiration).toBeNull();
    expect(await details()).toMatchObject({ password: false, expiry: null });
  });

  it('keeps its hour of expiry if the day is unchanged, and its other options', async () => {
    const at = household.clock.now() + DAY;
    const expiry = `${day(at)} 10:20:30`;
    await household.link(`/ROOT/HOME/${box}`, { expiry, download_limit: 7, download_terms: 'Be kind', force_save: 1 });
    const [data] = (await olga.get('/shares', { path: `/${box}` })).data;
    expect(data.expiration).toBe(`${day(at)} 00:00:00`);
    await olga.put(data.id, { permissions: 5, expireDate: day(at) });
    expect(await details()).toMatchObject({
      ...{ expiry, download_limit: 7, download_terms: 'Be kind', force_save: true, allow_uploads: true },
    });
  });

  it('is not found after its expiry, and a new one can be created', async () => {
    const { data } = await link({ expireDate: day(household.clock.now() + DAY) });
    household.clock.advance(3 * DAY);
    await household.signInAgain('olga');
    expect((await olga.get('/shares', { path: `/${box}` })).data).toEqual([]);
    expect((await olga.get(`/shares/${data.id}`)).status).toBe(404);
    const other = await link();
    expect(other.data.token).not.toBe(data.token);
    expect((await household.visit(data.token)).status).not.toBe(200);
  });

  it('exists once for each item, and an attempt to add another one does not change it', async () => {
    const { data } = await link();
    const refused = await link({ password: 'sesame' });
    expect(refused).toMatchObject({ status: 400, code: 400, data: [] });
    expect((await olga.get('/shares', { path: `/${box}` })).data).toEqual([data]);
  });

  it('that is temporary can be deleted, but not changed, and other links are kept', async () => {
    const { data } = await link();
    await household.link(`/ROOT/HOME/${box}`, { temporary: 1 });
    const all = (await olga.get('/shares', { path: `/${box}` })).data;
    const temporary = all.find(({ id }: { id: string }) => id !== data.id);
    expect(temporary).toMatchObject({ can_edit: false, can_delete: true });
    expect((await olga.put(temporary.id, { permissions: 1 })).status).toBe(403);
    expect((await olga.delete(temporary.id)).status).toBe(200);
    expect((await olga.get('/shares', { path: `/${box}` })).data).toEqual([data]);
    expect((await household.visit(data.token)).status).toBe(200);
  });

  it('that a recipient made is visible to the owner of the files, who can delete but not change it', async () => {
    await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.ben, share: 1 });
    const ben = await sharingAppOf(household, 'ben', { with_shared: '1' });
    const { data } = await ben.post({ path: `/Shared with me/Mia/${box}`, shareType: 3 });
    expect(data).toMatchObject({ uid_owner: 'ben', uid_file_owner: 'olga', path: `/Shared with me/Mia/${box}` });
    expect((await olga.get('/shares', { path: `/${box}` })).data).toHaveLength(1);
    const { data: all } = await olga.get('/shares', { path: `/${box}`, reshares: 'true' });
    expect(all).toContainEqual(expect.objectContaining({ id: data.id, can_edit: false, can_delete: true }));
    expect((await olga.put(data.id, { password: 'x' })).status).toBe(403);
    expect((await olga.delete(data.id)).status).toBe(200);
    expect((await ben.get(`/shares/${data.id}`)).status).toBe(404);
  });

  it('follows its item when that is moved', async () => {
    const { data } = await link();
    await olga.dav.transfer('MOVE', `/${box}`, `/${box}%20moved`);
    expect((await olga.get(`/shares/${data.id}`)).data[0]).toMatchObject({ path: `/${box} moved`, url: data.url });
    await rename(household.at(`${box} moved`), household.at(box));
    await household.as('olga').get('files/browse', { path: '/ROOT/HOME' });
    expect((await olga.get(`/shares/${data.id}`)).data[0]).toMatchObject({ path: `/${box}` });
    expect(await readFile(household.at(`${box}/a.txt`), 'utf8')).toContain('content');
  });

  it.each([
    ['bits that allow nothing', { permissions: 16 }, 400],
    ['only changes', { permissions: 2 }, 400],
    ['changes without reading', { permissions: 12 }, 400],
    ['too many bits', { permissions: 64 }, 404],
    ['a day in the past', { expireDate: '2001-01-01' }, 400],
    ['a day that is none', { expireDate: '2099-02-30' }, 404],
    ['a text for a day', { expireDate: 'tomorrow' }, 404],
    ['a password that is too long', { password: 'x'.repeat(1_025) }, 400],
    ['downloads that are hidden', { hideDownload: 'true' }, 400],
    ['downloads that are refused', { attributes: '[{"scope":"permissions","key":"download","value":false}]' }, 400],
    ['a label', { label: 'for the club' }, 400],
    ['a note', { note: 'for the club' }, 400],
  ])('is refused with %s', async (_what, form, status) => {
    expect(await link(form)).toMatchObject({ status, code: status });
    expect((await olga.get('/shares', { path: `/${box}` })).data).toEqual([]);
    const { data } = await link();
    // Changes that are malformed have one status.
    expect((await olga.put(data.id, form)).status).toBe(400);
    expect((await olga.get(`/shares/${data.id}`)).data).toEqual([data]);
  });

  it('for uploads only is refused for files', async () => {
    expect((await link({ permissions: 4 }, `/${box}/a.txt`)).status).toBe(400);
  });

  it('grants no more than its creator is allowed to do', async () => {
    await setPermissions(household, { olga: { upload: false } });
    expect((await link({ permissions: 15 })).status).toBe(403);
    await setPermissions(household, { olga: { weblink: false } });
    expect((await link()).status).toBe(403);
    await setPermissions(household, { olga: {} });
    expect((await olga.get('/shares', { path: `/${box}` })).data).toEqual([]);
    const { data } = await link();
    await setPermissions(household, { olga: { weblink: false } });
    expect((await olga.get(`/shares/${data.id}`)).status).toBe(404);
    await setPermissions(household, { olga: {} });
  });
});
