import type { MadeRequest, Maker } from './made-request.ts';

const SHARING = '/apps/files_sharing/api/v1';
const FORM = 'application/x-www-form-urlencoded';
const PATHS = [
  '/My files/Work',
  '/My files/Photos',
  '/My files/Photos/file 1.txt',
  '/',
  '/Shared with me',
  '/My files',
];

/** Requests of the OCS interface: shares, people, capabilities, the account and its app password. */
export function ocsRequest(maker: Maker): MadeRequest {
  const { random } = maker;
  const version = random.pick(['v1', 'v2', 'v2']);
  const place = random.pick([
    ...[
      `${SHARING}/shares`,
      `${SHARING}/shares`,
      `${SHARING}/shares/`,
      `${SHARING}/sharees`,
      `${SHARING}/sharees_recommended`,
    ],
    ...['/cloud/capabilities', '/cloud/user', '/core/apppassword', '/cloud/users', '/', `${SHARING}/shares/pending`],
  ]);
  const isShares = place === `${SHARING}/shares/`;
  const below = isShares ? place + maker.learnedOr('share', ['1', '0', '99999999999999999999']) : place;
  const path = maker.isSensible || random.chance(0.9) ? below : below + maker.encodedPath(['/x']);
  const isByPassword = random.chance(0.5);
  // The app password is not removed: of those that are not signed in, little can be asked.
  const method =
    place === '/core/apppassword' && isByPassword
      ? random.pick(['GET', 'POST', 'HEAD'])
      : random.pick(['GET', 'GET', 'POST', 'PUT', 'DELETE']);
  const written = new URLSearchParams(fieldsOf(maker)).toString();
  const isForm = method === 'POST' || method === 'PUT';
  const format = random.pick([
    '',
    'format=json',
    'format=xml',
    maker.value(['format=json'], ['format=', 'format=x', 'format[]=json']),
  ]);
  const query = [format, isForm && random.chance(0.8) ? '' : written].filter((text) => text !== '').join('&');
  return {
    method,
    path: `/ocs/${version}.php${address(path)}${query === '' ? '' : `?${query}`}`,
    headers: {
      authorization: isByPassword ? maker.basic : `Bearer ${maker.bearer}`,
      'ocs-apirequest': maker.value(['true'], ['false', '', 'TRUE']),
      ...(isForm ? { 'content-type': maker.value([FORM], ['application/json', 'multipart/form-data', 'x']) } : {}),
      ...maker.headers({ accept: () => maker.value(['application/json', 'text/xml'], ['x', '']) }, 0.3),
    },
    body: isForm ? maker.mutated(written) : null,
  };
}

const address = (path: string) => path.replace(/[^\x21-\x7e]/g, '%20').replace(/[?#]/g, '%3F');

function fieldsOf(maker: Maker): Record<string, string> {
  const offered: Record<string, () => string> = {
    path: () => maker.value(PATHS),
    shareType: () => maker.number(['0', '3', '3', '1', '4']),
    shareWith: () => maker.value(['mia', '2', '']),
    permissions: () => maker.number(['1', '15', '17', '31']),
    password: () => maker.value(['', 'correct horse battery']),
    expireDate: () => maker.value(['', '2030-01-01', '2030-01-01 00:00:00']),
    label: () => maker.value(['', 'a label']),
    note: () => maker.value(['', 'a note']),
    publicUpload: () => maker.value(['true', 'false']),
    hideDownload: () => maker.value(['true', 'false']),
    attributes: () => maker.value(['[]', '[{"scope":"permissions","key":"download","value":false}]']),
    search: () => maker.value(['m', 'mia', '']),
    itemType: () => maker.value(['file', 'folder']),
    perPage: () => maker.number(['10', '200']),
    page: () => maker.number(['1', '2']),
    reshares: () => maker.value(['true', 'false']),
    subfiles: () => maker.value(['true', 'false']),
    shared_with_me: () => maker.value(['true', 'false']),
  };
  return Object.fromEntries(
    Object.entries(maker.headers(offered, 0.45)).map(([name, value]) => [name, value.slice(0, 3_000).toWellFormed()]),
  );
}

const LOGIN = '/index.php/login/v2';

/** Requests with which an app signs in by way of a browser, and what it asks before it has. */
export function loginRequest(maker: Maker): MadeRequest {
  const { random } = maker;
  const path = random.pick([LOGIN, `${LOGIN}/poll`, `${LOGIN}/poll`, '/status.php', '/index.php/204']);
  const method = random.pick(['POST', 'POST', 'GET', 'HEAD', 'PUT', 'OPTIONS']);
  const token = maker.learnedOr('poll', ['none', 'x'.repeat(128)]);
  const form = random.pick([
    '',
    `token=${encodeURIComponent(token.toWellFormed())}`,
    'token[]=x&token[]=y',
    'token',
    'x'.repeat(9_000),
  ]);
  return {
    method,
    path,
    headers: {
      ...maker.headers({ 'user-agent': () => maker.value(['Mozilla/5.0 (Android) Nextcloud-android/3.30.0']) }, 0.7),
      ...(method === 'POST' ? { 'content-type': maker.value([FORM], ['application/json', 'text/plain']) } : {}),
      ...maker.headers(
        { host: () => maker.value(['127.0.0.1'], ['elsewhere.example', 'localhost:1', '127.0.0.1:x']) },
        0.1,
      ),
    },
    body: method === 'POST' || method === 'PUT' ? form : null,
  };
}

/** Requests for previews and for pictures of people. */
export function pictureRequest(maker: Maker): MadeRequest {
  const { random, username } = maker;
  const number = maker.learnedOr('fileid', ['1', '0', '99999999999']);
  const side = () => encodeURIComponent(maker.number(['32', '64', '256', '1024.5', '-1']));
  const file = encodeURIComponent(
    maker.value(['/My files/Photos/picture.svg', '/My files/Photos/file 1.txt']).toWellFormed().slice(0, 3_000),
  );
  const index = random.pick(['', '/index.php']);
  const path = random.pick([
    `${index}/core/preview?fileId=${encodeURIComponent(number.toWellFormed())}&x=${side()}&y=${side()}`,
    `${index}/core/preview.png?file=${file}&x=${side()}&y=${side()}&a=1&mode=cover`,
    `${index}/apps/files_trashbin/preview?fileId=${encodeURIComponent(number.toWellFormed())}&x=${side()}&y=${side()}&forceIcon=0`,
    `${index}/apps/files/api/v1/thumbnail/${side()}/${side()}/${maker.encodedPath(['My%20files/Photos/picture.svg', 'My%20files'])}`,
    `${index}/avatar/${maker.encodedPath([username, 'mia', 'nobody'])}/${maker.isSensible ? '64' : side()}`,
  ]);
  return {
    method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS']),
    path: address(path).replace('%3F', '?'),
    headers: {
      authorization: random.chance(0.5) ? maker.basic : `Bearer ${maker.bearer}`,
      ...maker.headers({ 'if-none-match': () => maker.value(['*', '"x"'], ['x', ',']) }, 0.1),
    },
    body: null,
  };
}
