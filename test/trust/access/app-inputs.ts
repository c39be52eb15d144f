import { OWNER } from '../../support/households/household.ts';
import { metadataOf, OFFSET_TYPE, TUS } from '../../support/requests/tus.ts';
import type { Channel } from '../values/probe.ts';
import { asItStands } from './inputs.ts';

/** Where values go into what apps use beside the API: addresses, headers and bodies of WebDAV, tus and OCS. */

const FILES = `/remote.php/dav/files/${OWNER.username}`;
const ITEM = '/dav/My%20files/Work/file%202.txt';

const SHARES = '/ocs/v2.php/apps/files_sharing/api/v1/shares';
const PEOPLE = '/ocs/v2.php/apps/files_sharing/api/v1/sharees';
const FORM = 'application/x-www-form-urlencoded';

/** What is moved to become a file, with the beginning of where it may go. */
const RESTORED = [
  [`/remote.php/dav/uploads/${OWNER.username}/transfer/.file`, `${FILES}/My%20files/`],
  [`/remote.php/dav/trashbin/${OWNER.username}/trash/none.d1`, `/remote.php/dav/trashbin/${OWNER.username}/restore/`],
  [`/remote.php/dav/versions/${OWNER.username}/versions/1/1`, `/remote.php/dav/versions/${OWNER.username}/restore/`],
] as const;

/** Where a path, a name or an id is meant. */
export function appPathDoors(): Channel[] {
  const encodings = [
    ['encoded', encoded],
    ['as it stands', asItStands],
  ] as const;
  const addresses = [
    ['GET', '/dav/'],
    ['PUT', '/dav/My%20files/'],
    ['MKCOL', `${FILES}/My%20files/`],
    ['PROPFIND', '/remote.php/webdav/'],
    ['DELETE', '/dav/My%20files/Work/'],
    ['GET', `/remote.php/dav/trashbin/${OWNER.username}/trash/`],
    ['PROPFIND', `/remote.php/dav/versions/${OWNER.username}/versions/`],
    ['MKCOL', `/remote.php/dav/uploads/${OWNER.username}/`],
    ['PUT', `/remote.php/dav/uploads/${OWNER.username}/transfer/`],
    ['HEAD', '/tus/'],
    ['GET', '/index.php/apps/files/api/v1/thumbnail/64/64/'],
    ['GET', '/index.php/core/preview.png?x=64&y=64&file='],
    ['GET', '/index.php/apps/files_trashbin/preview?x=64&y=64&fileId='],
    ['GET', '/index.php/avatar/'],
    ['GET', `${SHARES}?path=`],
    ['GET', `${SHARES}/`],
  ] as const;
  return encodings.flatMap(([how, encode]) => [
    ...addresses.map(
      ([method, base]): Channel => ({
        name: `${method} ${base} ${how}`,
        ask: (value) => ({
          method,
          path: base + encode(value),
          headers: { ...TUS, 'ocs-apirequest': 'true', depth: '0' },
          ...(method === 'PUT' ? { body: 'x' } : {}),
        }),
      }),
    ),
    ...['COPY', 'MOVE'].map(
      (method): Channel => ({
        name: `Destination of ${method} ${how}`,
        ask: (value) => ({ method, path: ITEM, headers: { destination: `/dav/My%20files/${encode(value)}` } }),
      }),
    ),
    ...RESTORED.map(
      ([address, base]): Channel => ({
        name: `Destination of ${address} ${how}`,
        ask: (value) => ({ method: 'MOVE', path: address, headers: { destination: base + encode(value) } }),
      }),
    ),
    {
      name: `the tag of If ${how}`,
      ask: (value) => ({ method: 'PUT', path: ITEM, headers: { if: `<${encode(value)}> (Not <urn:x>)` }, body: 'x' }),
    },
    ...[`/files/${OWNER.username}/`, '/files/', ''].map(
      (base): Channel => ({
        name: `the scope ${base} of a search ${how}`,
        ask: (value) => search(base + encode(value), '%'),
      }),
    ),
  ]);
}

/** Where paths are meant, and other texts. */
export function appTextDoors(): Channel[] {
  const created = (metadata: Record<string, string>) => ({
    method: 'POST',
    path: '/tus/',
    headers: { ...TUS, ...OFFSET_TYPE, 'upload-length': '1', 'upload-metadata': metadataOf(metadata) },
    body: 'x',
  });
  const headers = ['destination', 'if', 'depth', 'overwrite', 'timeout', 'lock-token', 'oc-checksum', 'x-oc-mtime'];
  return [
    { name: 'the file name of tus', ask: (value) => created({ filename: value.toWellFormed() }) },
    {
      name: 'the folder of tus',
      ask: (value) => created({ filename: 'a.txt', path: `/ROOT/HOME/${value.toWellFormed()}` }),
    },
    { name: 'the whole folder of tus', ask: (value) => created({ filename: 'a.txt', path: value.toWellFormed() }) },
    { name: 'the value of a search', ask: (value) => search(`/files/${OWNER.username}`, value) },
    {
      name: 'the owner of a lock',
      ask: (value) => ({
        method: 'LOCK',
        path: ITEM,
        headers: { depth: '0', timeout: 'Second-1' },
        body: `<lockinfo xmlns="DAV:"><lockscope><shared/></lockscope><locktype><write/></locktype><owner>${escaped(value)}</owner></lockinfo>`,
      }),
    },
    {
      name: 'a property of an item',
      ask: (value) => ({
        method: 'PROPPATCH',
        path: ITEM,
        body: `<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">${escaped(value)}</x></prop></set></propertyupdate>`,
      }),
    },
    ...ocsDoors(),
    ...signInDoors(),
    {
      name: 'a rule of a list',
      ask: (value) => ({ method: 'REPORT', path: `${FILES}/My%20files/`, body: filterFiles(value) }),
    },
    {
      name: 'the header OC-Total-Length',
      ask: (value) => ({
        method: 'MKCOL',
        path: `/remote.php/dav/uploads/${OWNER.username}/sized`,
        headers: { destination: `${FILES}/My%20files/sized.txt`, 'oc-total-length': inHeader(value) },
      }),
    },
    ...headers.map(
      (name): Channel => ({
        name: `the header ${name} of MOVE`,
        ask: (value) => ({
          method: 'MOVE',
          path: ITEM,
          headers: { destination: '/dav/My%20files/Work/file%202.txt', [name]: inHeader(value) },
        }),
      }),
    ),
  ];
}

/** What apps made for Nextcloud tell of shares, and whom they look for. */
function ocsDoors(): Channel[] {
  const others = { path: '/My files/Work/file 2.txt', shareType: '3', permissions: '1' };
  const shared = ['path', 'shareType', 'shareWith', 'permissions', 'password', 'expireDate', 'label', 'note'];
  const more = ['publicUpload', 'hideDownload', 'attributes'];
  return [
    ...[...shared, ...more].map(
      (name): Channel => ({
        name: `the field ${name} of a new share`,
        ask: (value) => ocsForm('POST', SHARES, { ...others, [name]: value }),
      }),
    ),
    ...['permissions', 'password', 'expireDate', 'label', 'note', 'attributes'].map(
      (name): Channel => ({
        name: `the field ${name} of a share`,
        ask: (value) => ocsForm('PUT', `${SHARES}/1`, { [name]: value }),
      }),
    ),
    ...['search', 'itemType', 'shareType', 'page', 'perPage', 'format'].map(
      (name): Channel => ({
        name: `the field ${name} of a search for people`,
        ask: (value) => ({
          method: 'GET',
          path: `${PEOPLE}?${new URLSearchParams({ search: 'm', itemType: 'file', [name]: value.toWellFormed() })}`,
          headers: { 'ocs-apirequest': 'true' },
        }),
      }),
    ),
  ];
}

function ocsForm(method: string, path: string, fields: Record<string, string>) {
  const form = Object.entries(fields).map(([name, value]) => [name, value.toWellFormed()]);
  return {
    method,
    path,
    headers: { 'ocs-apirequest': 'true', 'content-type': FORM },
    body: new URLSearchParams(form).toString(),
  };
}

/** What a device tells of itself when it asks for a sign-in in the browser, and the token by which it gets the result. */
function signInDoors(): Channel[] {
  return [
    {
      name: 'the name of a device',
      ask: (value) => ({
        method: 'POST',
        path: '/index.php/login/v2',
        headers: { 'user-agent': value.replace(/[^\t -~\u0080-\u00ff]/gu, '?') },
      }),
    },
    {
      name: 'the token of a sign-in',
      ask: (value) => ({
        method: 'POST',
        path: '/index.php/login/v2/poll',
        headers: { 'content-type': FORM },
        body: new URLSearchParams({ token: value.toWellFormed() }).toString(),
      }),
    },
  ];
}

const filterFiles = (value: string) =>
  `<oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:fileid/></d:prop><oc:filter-rules><oc:favorite>${escaped(value)}</oc:favorite></oc:filter-rules></oc:filter-files>`;

/** Without what no value of a header may hold. */
const inHeader = (text: string) => text.replace(/[^\t -~]/g, '?');

function search(scope: string, literal: string) {
  return {
    method: 'SEARCH',
    path: '/remote.php/dav/',
    headers: { 'content-type': 'text/xml' },
    body: `<searchrequest xmlns="DAV:"><basicsearch><select><prop><displayname/></prop></select>
<from><scope><href>${escaped(scope)}</href><depth>infinity</depth></scope></from>
<where><like><prop><displayname/></prop><literal>${escaped(literal)}</literal></like></where></basicsearch></searchrequest>`,
  };
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The text as the content of an element, with `?` for characters that no document may contain. */
export function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>\p{Cc}\ufffe\uffff]/gu, (found) => ESCAPED[found] ?? '?');
}
