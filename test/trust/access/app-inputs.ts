import { OWNER } from '../../support/households/household.ts';
import { metadataOf, OFFSET_TYPE, TUS } from '../../support/requests/tus.ts';
import type { Channel } from '../values/probe.ts';
import { asItStands } from './inputs.ts';

/** Where values go into what apps use beside the API: addresses, headers and bodies of WebDAV, tus and OCS. */

const FILES = `/remote.php/dav/files/${OWNER.username}`;
const ITEM = '/dav/My%20files/Work/file%202.txt';

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
    ['GET', '/ocs/v2.php/apps/files_sharing/api/v1/shares?path='],
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
    ...headers.map(
      (name): Channel => ({
        name: `the header ${name} of MOVE`,
        ask: (value) => ({
          method: 'MOVE',
          path: ITEM,
          headers: { destination: '/dav/My%20files/Work/file%202.txt', [name]: value.replace(/[^\t -~]/g, '?') },
        }),
      }),
    ),
  ];
}

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
