import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, setPermissions, signInAs } from '../support/households/member.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

// Certain, from the published sources of the Android library and NextcloudKit: both ask for these properties in every listing. Assumed:
// that they take `shared` as NextcloudKit names it, and an empty type as that of files of one's own.

let household: Household;
let ann: DavClient;
let mia: DavClient;

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, { mia: {} });
  const [owner, other] = [await household.signIn(), await signInAs(household, 'mia')];
  ann = (await davClient(owner)).at('/remote.php/dav/files/ann');
  mia = (await davClient(other)).at('/remote.php/dav/files/mia');
  const uid = (await other.get('account/info')).body.id;
  for (const [name, more] of [
    ['open', {}],
    ['nobody’s', { anonymous: 1 }],
  ] as const) {
    await owner.post('files/createfolder', { path: '/ROOT/HOME', name });
    await owner.put({ path: `/ROOT/HOME/${name}/a.txt` }, 'text');
    const shared = await owner.post('files/share', { path: `/ROOT/HOME/${name}`, uid, download: 1, ...more });
    expect(shared.status).toBe(200);
  }
});
afterAll(() => household?.close());

const ASKED = `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>
  <oc:owner-id/><oc:owner-display-name/><nc:mount-type/></d:prop></d:propfind>`;
const of = async (client: DavClient, path: string, depth: '0' | '1' = '0') =>
  [...parsed((await client.propfind(path, depth, ASKED)).text).values()].map(({ found }) => [
    found.get('owner-id'),
    found.get('owner-display-name'),
    found.get('mount-type'),
  ]);

describe('the owner of files', () => {
  it('is the account in its home', async () => {
    const own = ['ann', 'ann', ''];
    expect(await of(ann, '/My%20files/open', '1')).toEqual([own, own]);
    expect(await of(ann, '/My%20files/open/a.txt')).toEqual([own]);
  });

  it('is the one who shares them', async () => {
    const shared = ['ann', 'ann', 'shared'];
    expect(await of(mia, '/Shared%20with%20me/ann/open', '1')).toEqual([shared, shared]);
    // What was made for one caller is not sent to another.
    expect(await of(ann, '/My%20files/open', '1')).toEqual([
      ['ann', 'ann', ''],
      ['ann', 'ann', ''],
    ]);
  });

  it('is omitted for shares that hide it, and in the lists of shares', async () => {
    const hidden = [undefined, undefined, 'shared'];
    expect(await of(mia, `/Shared%20with%20me/${encodeURIComponent('nobody’s')}`, '1')).toEqual([hidden, hidden]);
    for (const entry of await of(mia, '/', '1')) expect(entry).toEqual([undefined, undefined, undefined]);
  });
});

describe('how files are shared', () => {
  const TYPES = `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:share-types/></d:prop></d:propfind>`;
  const typesOf = async (client: DavClient, path: string) => {
    const { text } = await client.propfind(path, '1', TYPES);
    const entries = text.split('<d:response>').slice(1);
    return Object.fromEntries(
      entries.map((entry) => [
        decodeURIComponent(/<d:href>[^<]*?([^/<]*)\/?<\/d:href>/.exec(entry)?.[1] ?? ''),
        [...entry.matchAll(/<oc:share-type>(\d+)<\/oc:share-type>/g)].map(([, type]) => Number(type)),
      ]),
    );
  };

  it('is returned only to the person who shares them', async () => {
    const owner = await household.signIn();
    const path = '/ROOT/HOME/by link.txt';
    await owner.put({ path }, 'text');
    await owner.put({ path: '/ROOT/HOME/alone.txt' }, 'text');
    const { id: gid } = await household.control('groups.add', { name: 'Family' });
    const shares = async () => {
      const { open, 'by link.txt': linked, 'alone.txt': alone } = await typesOf(ann, '/My%20files/');
      return { open, linked, alone };
    };
    expect(await shares()).toEqual({ open: [0], linked: [], alone: [] });
    expect((await owner.post('files/share', { path: '/ROOT/HOME/open', gid: Number(gid) })).status).toBe(200);
    expect((await owner.post('files/weblink', { path: '/ROOT/HOME/open' })).status).toBe(200);
    expect((await owner.post('files/weblink', { path, expiry: '2099-01-01' })).status).toBe(200);
    // A reply that was kept says nothing old.
    expect(await shares()).toEqual({ open: [0, 1, 3], linked: [3], alone: [] });
    expect(await typesOf(mia, '/Shared%20with%20me/ann/')).toEqual({ ann: [], open: [] });
    await owner.post('files/unweblink', { path });
    await owner.post('files/unshare', { path: '/ROOT/HOME/open', gid: Number(gid) });
    expect(await shares()).toEqual({ open: [0, 3], linked: [], alone: [] });
  });
});

describe('with whom files are shared', () => {
  const SHAREES = `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>
    <nc:sharees/><oc:share-types/></d:prop></d:propfind>`;
  const shareesOf = async (client: DavClient, path: string) => {
    const { text } = await client.propfind(path, '0', SHAREES);
    const [first] = [...parsed(text).values()];
    const entries = (first?.found.get('sharees') ?? '').split('<nc:sharee>').slice(1);
    const field = (entry: string, name: string) => new RegExp(`<nc:${name}>([^<]*)</nc:${name}>`).exec(entry)?.[1];
    return entries.map((entry) => ['id', 'display-name', 'type'].map((name) => field(entry, name)));
  };

  it('is returned only to the person who shares them, without people hidden from that person', async () => {
    await addMembersWithHomes(household, { leo: { users_may_see: '-ALL-' }, kim: {} });
    const api = await signInAs(household, 'leo');
    const leo = (await davClient(api)).at('/remote.php/dav/files/leo');
    const kim = (await davClient(await signInAs(household, 'kim'))).at('/remote.php/dav/files/kim');
    const { id: gid } = await household.control('groups.add', { name: 'Tom & Co' });
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'box' });
    const path = '/ROOT/HOME/box';
    expect(await shareesOf(leo, '/My%20files/box')).toEqual([]);
    const uid = (await (await signInAs(household, 'kim')).get('account/info')).body.id;
    expect((await api.post('files/share', { path, uid })).status).toBe(200);
    expect((await api.post('files/share', { path, gid: Number(gid) })).status).toBe(200);
    const all = [
      ['kim', 'Mia', '0'],
      [String(gid), 'Tom &amp; Co', '1'],
    ];
    expect((await shareesOf(leo, '/My%20files/box')).sort()).toEqual(all.sort());
    expect(await shareesOf(kim, '/Shared%20with%20me/leo/box')).toEqual([]);
    await setPermissions(household, { leo: { users_may_see: '' } });
    expect(await shareesOf(leo, '/My%20files/box')).toEqual([]);
    await setPermissions(household, { leo: { users_may_see: `g${gid}` } });
    expect(await shareesOf(leo, '/My%20files/box')).toEqual([[String(gid), 'Tom &amp; Co', '1']]);
  });
});
