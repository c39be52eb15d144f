import sharp from 'sharp';
import { DRAWING } from '../support/content/drawing.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, parsed } from '../support/webdav/dav-client.ts';
import { sharingAppOf } from './sharing-support.ts';
import { TransferClient } from './transfers.ts';

/** What an app for Nextcloud asks for beside its files. */
export interface Row {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The status with the right credentials, where the request changes nothing. */
  readonly reads?: number;
  /** Answers without sign-in, with this status. */
  readonly open?: number;
}

/** Someone with one of everything that has an address of its own. */
export interface EveryAddress {
  readonly household: SharingHousehold;
  readonly api: ApiClient;
  readonly app: DavClient;
  /** All addresses except those of OCS. */
  readonly rows: readonly Row[];
  /** The addresses of OCS, below those of its versions, and their methods. */
  readonly ocs: readonly { readonly path: string; readonly methods: readonly string[] }[];
}

const REPORT = `<oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>
  <d:displayname/><d:getetag/><oc:fileid/><oc:checksums/><oc:permissions/><nc:has-preview/></d:prop>
  <oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>`;
const SEARCH = `<d:searchrequest xmlns:d="DAV:"><d:basicsearch><d:select><d:prop><d:displayname/></d:prop></d:select>
  <d:from><d:scope><d:href>/files/olga</d:href><d:depth>infinity</d:depth></d:scope></d:from>
  <d:where><d:like><d:prop><d:displayname/></d:prop><d:literal>%</d:literal></d:like></d:where></d:basicsearch></d:searchrequest>`;
const FILEID = '<d:propfind xmlns:d="DAV:"><d:prop><fileid xmlns="http://owncloud.org/ns"/></d:prop></d:propfind>';

/** The number of the first, or the last, item of a list. */
async function numberOf(dav: DavClient, path: string, depth: '0' | '1'): Promise<{ number: string; name: string }> {
  const [href = '', one] = [...parsed((await dav.propfind(path, depth, FILEID)).text)].at(-1) ?? [];
  return { number: one?.found.get('fileid') ?? '', name: href.split('/').at(-1) ?? '' };
}

export async function openEveryAddress(): Promise<EveryAddress> {
  const household = await openSharingHousehold();
  const { dav: app, ...sharing } = await sharingAppOf(household, 'olga');
  const api = household.as('olga');
  await app.put('/a.svg', DRAWING);
  await app.put('/gone.svg', DRAWING);
  await app.send('DELETE', '/gone.svg');
  await app.put('/text.txt', 'one', { 'x-oc-mtime': '1500000000' });
  household.clock.advance(120_000);
  await app.put('/text.txt', 'two 2', { 'x-oc-mtime': '1500000001' });
  await new TransferClient(app).parts('begun', ['part']);
  const red = sharp({ create: { width: 80, height: 80, channels: 3, background: 'red' } });
  await api.send('PUT', '/api.php/account/avatar', { body: await red.png().toBuffer() });
  const { data: share } = await sharing.post({ path: '/a.svg', shareType: 0, shareWith: 'ben', permissions: 1 });

  const { number } = await numberOf(app, '/a.svg', '0');
  const { number: text } = await numberOf(app, '/text.txt', '0');
  const trash = app.at('/remote.php/dav/trashbin/olga');
  const { number: gone, name } = await numberOf(trash, '/trash/', '1');
  const inTrash = `/remote.php/dav/trashbin/olga/trash/${name}`;
  const versions = '/remote.php/dav/versions/olga';
  const version = `${versions}/versions/${text}/1500000000`;
  const uploads = '/remote.php/dav/uploads/olga/begun';
  const files = '/remote.php/dav/files/olga';
  const depth = { depth: '1' };

  const pictures = [
    `/core/preview?fileId=${number}&x=64&y=64`,
    '/core/preview.png?file=/a.svg&x=64&y=64',
    `/apps/files_trashbin/preview?fileId=${gone}&x=64&y=64`,
    '/apps/files/api/v1/thumbnail/64/64/a.svg',
    '/avatar/olga/64',
    '/avatar/olga/512/dark',
  ].flatMap((path) => [path, `/index.php${path}`]);
  const rows: Row[] = [
    { method: 'GET', path: '/status.php', open: 200 },
    { method: 'GET', path: '/index.php/204', open: 204 },
    { method: 'POST', path: '/index.php/login/v2', open: 200 },
    ...pictures.flatMap((path): Row[] => [
      { method: 'GET', path, reads: 200 },
      { method: 'HEAD', path, reads: 200 },
    ]),
    { method: 'PROPFIND', path: uploads, headers: depth, reads: 207 },
    { method: 'MKCOL', path: `${uploads}-2` },
    { method: 'PUT', path: `${uploads}/2`, body: 'more' },
    { method: 'MOVE', path: `${uploads}/.file`, headers: { destination: `${files}/arrived.txt` } },
    { method: 'DELETE', path: `${uploads}/1` },
    { method: 'DELETE', path: uploads },
    { method: 'PROPFIND', path: '/remote.php/dav/trashbin/olga/trash', headers: depth, reads: 207 },
    { method: 'PROPFIND', path: inTrash, headers: { depth: '0' }, reads: 207 },
    { method: 'GET', path: inTrash, reads: 200 },
    { method: 'HEAD', path: inTrash, reads: 200 },
    { method: 'MOVE', path: inTrash, headers: { destination: '/remote.php/dav/trashbin/olga/restore/back.svg' } },
    { method: 'DELETE', path: inTrash },
    { method: 'DELETE', path: '/remote.php/dav/trashbin/olga/trash' },
    { method: 'PROPFIND', path: `${versions}/versions/${text}`, headers: depth, reads: 207 },
    { method: 'PROPFIND', path: version, headers: { depth: '0' }, reads: 207 },
    { method: 'GET', path: version, reads: 200 },
    { method: 'HEAD', path: version, reads: 200 },
    { method: 'MOVE', path: version, headers: { destination: `${versions}/restore/target` } },
    { method: 'COPY', path: version, headers: { destination: `${versions}/restore/target` } },
    { method: 'DELETE', path: version },
    { method: 'REPORT', path: `${files}/`, body: REPORT, reads: 207 },
    { method: 'SEARCH', path: '/remote.php/dav/', headers: { 'content-type': 'text/xml' }, body: SEARCH, reads: 207 },
  ];
  const shares = '/apps/files_sharing/api/v1';
  const ocs = [
    { path: '/cloud/capabilities', methods: ['GET', 'HEAD'] },
    { path: '/cloud/user', methods: ['GET', 'HEAD'] },
    { path: '/cloud/users/olga', methods: ['GET', 'HEAD'] },
    { path: '/core/apppassword', methods: ['DELETE'] },
    { path: `${shares}/shares`, methods: ['GET', 'HEAD', 'POST'] },
    { path: `${shares}/shares/${share.id}`, methods: ['GET', 'HEAD', 'PUT', 'DELETE'] },
    { path: `${shares}/sharees?itemType=file&search=b`, methods: ['GET', 'HEAD'] },
    { path: `${shares}/sharees_recommended?itemType=file`, methods: ['GET', 'HEAD'] },
  ];
  return { household, api, app, rows, ocs };
}
