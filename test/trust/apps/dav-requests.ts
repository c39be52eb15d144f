import { randomBytes } from 'node:crypto';
import { HOSTILE_PATHS, HOSTILE_TEXTS } from '../values/hostile-values.ts';
import type { MadeRequest, Maker } from './made-request.ts';
import { davBody } from './xml-bodies.ts';

const ITEMS = [
  ...['', '/', '/My%20files', '/My%20files/', '/My%20files/Photos', '/My%20files/Photos/file%201.txt'],
  ...['/My%20files/Work/file%202.txt', '/My%20files/School/Old/', '/My%20files/new.txt', '/Shared%20with%20me'],
  ...['/My%20files/new%20folder', '/My%20files/Music/file%203.txt', '/My%20files/out/canary.txt'],
];
const FILE_METHODS = [
  ...['PROPFIND', 'PROPFIND', 'GET', 'HEAD', 'PUT', 'PUT', 'DELETE', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'LOCK', 'UNLOCK'],
  ...['PROPPATCH', 'REPORT', 'REPORT', 'SEARCH', 'OPTIONS', 'POST'],
];
const TREE_METHODS = [
  'PROPFIND',
  'PROPFIND',
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'MKCOL',
  'MOVE',
  'COPY',
  'OPTIONS',
  'POST',
  'LOCK',
];

/** Requests below `/dav` and `/remote.php`: files at each of their addresses, transfers, trash, versions and searches. */
export function davRequest(maker: Maker): MadeRequest {
  const { random } = maker;
  const place = random.weighted({ files: 5, uploads: 3, trashbin: 2, versions: 2, search: 2, unknown: 0.3 });
  const { method, path } = placeOf(maker, place);
  const headers = {
    authorization: random.chance(0.9) ? maker.basic : `Bearer ${maker.bearer}`,
    ...(method === 'PROPFIND' && maker.isSensible ? { depth: random.pick(['0', '1']) } : {}),
    ...(['MOVE', 'COPY', 'MKCOL'].includes(method) && random.chance(0.95)
      ? { destination: destinationOf(maker, place) }
      : {}),
    // Else locks would soon refuse everything.
    ...(method === 'LOCK' ? { timeout: 'Second-1' } : {}),
    ...(method === 'UNLOCK' ? { 'lock-token': `<${maker.learnedOr('lock', ['urn:uuid:1'])}>` } : {}),
    ...maker.headers(sometimes(maker), maker.isSensible ? 0.08 : 0.2),
  };
  const body = method === 'PUT' ? randomBytes(random.below(3_000)) : davBody(maker, method);
  return { method, path, headers, body: method === 'GET' || method === 'HEAD' ? null : body };
}

function placeOf(maker: Maker, place: string): { method: string; path: string } {
  const { random, username } = maker;
  const user = maker.isSensible ? username : maker.encodedPath([username, username.toUpperCase(), 'mia', '..']);
  const trees = '/remote.php/dav';
  const method = random.pick(TREE_METHODS);
  if (place === 'uploads') {
    const id = maker.encodedPath(['transfer-1', 'transfer-2', 'transfer-3', 'web-file-upload-9']);
    const part = maker.encodedPath(['', '/1', '/2', '/00003', '/.file', '/.file', '/0-99']);
    const sensible =
      part === '' ? ['MKCOL', 'PROPFIND', 'DELETE'] : part === '/.file' ? ['MOVE'] : ['PUT', 'PUT', 'DELETE'];
    const path = `${trees}/uploads/${user}/${id}${part === '' || part.startsWith('/') ? part : `/${part}`}`;
    return { method: maker.isSensible ? random.pick(sensible) : method, path };
  }
  if (place === 'trashbin') {
    const id =
      maker.learned.of('trashed').length > 0 && random.chance(0.7)
        ? random.pick(maker.learned.of('trashed'))
        : maker.encodedPath(['', 'nothing']);
    const below =
      maker.isSensible || random.chance(0.8) ? `trash/${id}` : maker.encodedPath(['restore/x', 'trash', '']);
    return { method, path: `${trees}/trashbin/${user}/${below}` };
  }
  if (place === 'versions') {
    const file =
      maker.learned.of('fileid').length > 0 && random.chance(0.8)
        ? random.pick(maker.learned.of('fileid'))
        : maker.encodedPath(['1', '0', '99999999']);
    const version = random.chance(0.5) ? '' : `/${maker.encodedPath(['1', '2', '1600000000'])}`;
    return { method, path: `${trees}/versions/${user}/versions/${file}${version}` };
  }
  if (place === 'search')
    return { method: random.pick(['SEARCH', 'SEARCH', 'SEARCH', 'OPTIONS']), path: random.pick([`${trees}/`, trees]) };
  if (place === 'unknown')
    return {
      method,
      path: `/remote.php/${maker.encodedPath(['none', 'caldav', 'dav/principals/x', 'dav/systemtags'])}`,
    };
  const root = random.pick([
    '/dav',
    `/dav/files/${user}`,
    '/remote.php/webdav',
    '/remote.php/dav',
    `${trees}/files/${user}`,
  ]);
  const item =
    maker.isSensible || random.chance(0.6) ? random.pick(ITEMS) : `/My%20files/${maker.encodedPath(['new.txt'])}`;
  return { method: random.pick(FILE_METHODS), path: root + item };
}

function destinationOf(maker: Maker, place: string): string {
  const { random, username } = maker;
  const file = `/remote.php/dav/files/${username}/My%20files/moved%20${random.below(50)}.txt`;
  const sensible =
    place === 'trashbin'
      ? [`/remote.php/dav/trashbin/${username}/restore/x`, file]
      : place === 'versions'
        ? [`/remote.php/dav/versions/${username}/restore/target`]
        : [
            file,
            `/dav/My%20files/moved%20${random.below(50)}.txt`,
            `/remote.php/webdav/My%20files/Work/${random.below(9)}.txt`,
          ];
  const hostile = [
    ...[
      'https://elsewhere.example/dav/x',
      '//elsewhere.example/dav/x',
      'http://',
      'x',
      '',
      '/',
      '/api.php/files',
      '/tus/',
    ],
    ...[
      `/dav/My%20files/${maker.encodedPath(['x'])}`,
      `/dav${maker.encodedPath(['/x'])}`,
      '/dav/%',
      '/dav/My%20files/a?b#c',
    ],
    ...['https://user:pass@127.0.0.1/dav/x', 'https://[::1/dav', `${file}, ${file}`],
    random.pick(HOSTILE_PATHS),
  ];
  return maker.value(sensible, hostile);
}

function sometimes(maker: Maker): Record<string, () => string> {
  const { random } = maker;
  const token = () => maker.learnedOr('lock', ['urn:uuid:1']);
  const numbers = () => maker.number(['1', '10', '1600000000']);
  const conditions = () => [
    `(<${token()}>)`,
    '(Not <DAV:no-lock>)',
    `</dav/My%20files/new.txt> (<${token()}>)`,
    `<${random.pick(HOSTILE_PATHS)}> (<${token()}>)`,
    '(["x"])',
    '((',
    '<>',
    `${'('.repeat(500)}`,
    `${`(<${token()}>)`.repeat(40)}`,
    random.pick(HOSTILE_TEXTS),
  ];
  return {
    if: () => maker.value([`(<${token()}>)`], conditions()),
    depth: () => maker.value(['0', '1', 'infinity'], ['2', '-1', ' 0', '0, 1', '1,noroot', 'INFINITY', '']),
    overwrite: () => maker.value(['T', 'F'], ['t', 'x', '', 'T, F']),
    timeout: () =>
      maker.value(['Second-5', 'Infinite'], ['Second-99999999999999999999', 'Second--1', 'x', 'Second-', '']),
    'lock-token': () => maker.value([`<${token()}>`], [token(), '<>', '<', random.pick(HOSTILE_TEXTS)]),
    'oc-total-length': numbers,
    'oc-chunk-size': numbers,
    'x-oc-mtime': () => maker.number(['1600000000', '-1']),
    'oc-checksum': () =>
      maker.value(['SHA1:x', 'MD5:00'], ['X:1', ':', 'ADLER32:00000001', random.pick(HOSTILE_TEXTS)]),
    'if-match': () => maker.value(['*', '"x"'], ['x', 'W/"', '"', '*, *']),
    'if-none-match': () => maker.value(['*', '"x"'], ['x', '""', ',,']),
    range: () => maker.value(['bytes=0-3'], ['bytes=9-1', 'bytes=-', 'bytes=0-0,2-3', 'x=1']),
    'content-type': () => maker.value(['text/xml'], ['application/json', 'x', 'text/xml; charset=utf-16']),
    'content-encoding': () => maker.value(['identity'], ['gzip', 'x']),
    'if-modified-since': () => maker.value(['Sun, 09 Sep 2001 01:46:40 GMT'], ['x', '-1']),
  };
}
