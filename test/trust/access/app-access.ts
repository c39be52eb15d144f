import { fileId } from '../../../dist/server/webdav/properties/file-id.js';
import { type Asked, bothNames, type Caller, NEVER, OCS, OCS_SHARES, SECRET, type Secrets } from './asked.ts';

/** Of the many ways of apps: each of them tells something to those who may. */
export const WAYS_OF_APPS = {
  'transfers of apps': byTransfers,
  'numbers of files': byFileNumbers,
  'numbers of deleted files': byTrashedNumbers,
  'paths of apps': byAppPaths,
  'pictures of people': byAvatars,
  'searches for people': bySharees,
  'recommended people': byRecommended,
};

/** What is asked by apps made for Nextcloud. */
export function byApps(secrets: Secrets, caller: Caller): Asked[] {
  const { ocsShare, trashed } = secrets;
  const { api, username = 'gran' } = caller;
  const number = [ocsShare, String(NEVER.share)] as const;
  const form = { headers: { ...OCS, 'content-type': 'application/x-www-form-urlencoded' }, body: 'permissions=31' };
  const inTrash = [trashed.slice('/TRASH/'.length), NEVER.name] as const;
  return [
    bothNames(
      api,
      'GET',
      (id) => `${OCS_SHARES}/${id}`,
      number,
      () => ({ headers: OCS }),
    ),
    bothNames(
      api,
      'PUT',
      (id) => `${OCS_SHARES}/${id}`,
      number,
      () => form,
    ),
    bothNames(
      api,
      'DELETE',
      (id) => `${OCS_SHARES}/${id}`,
      number,
      () => ({ headers: OCS }),
    ),
    bothNames(
      api,
      'GET',
      (name) => `${OCS_SHARES}?path=/${name}`,
      SECRET,
      () => ({ headers: OCS }),
    ),
    bothNames(
      api,
      'GET',
      (name) => `/index.php/core/preview.png?file=/${name}/secret.svg`,
      SECRET,
      () => ({}),
    ),
    ...['GET', 'DELETE', 'PROPFIND'].flatMap((method) =>
      ['', '/inside.txt'].map((below) =>
        bothNames(
          api,
          method,
          (name) => `/remote.php/dav/trashbin/olga/trash/${name}${below}`,
          inTrash,
          () => (method === 'PROPFIND' ? { headers: { depth: '1' } } : {}),
        ),
      ),
    ),
    ...['GET', 'PROPFIND'].map((method) =>
      bothNames(
        api,
        method,
        (name) => `/remote.php/dav/trashbin/${username}/trash/${name}`,
        inTrash,
        () => (method === 'PROPFIND' ? { headers: { depth: '1' } } : {}),
      ),
    ),
    ...[username, 'olga'].map((user) =>
      bothNames(
        api,
        'MOVE',
        (name) => `/remote.php/dav/trashbin/${user}/trash/${name}`,
        inTrash,
        () => ({
          headers: { destination: `/remote.php/dav/trashbin/${user}/restore/x` },
        }),
      ),
    ),
    ...byTransfers(secrets, caller),
    ...byFileNumbers(secrets, caller),
    ...byTrashedNumbers(secrets, caller),
    ...byAppPaths(secrets, caller),
    ...(isGuest(caller) ? [byAvatars, bySharees, byRecommended].flatMap((of) => of(secrets, caller)) : []),
  ];
}

const DAV_FILES = '/remote.php/dav/files';
const REPORT = `<oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:fileid/></d:prop><oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>`;
const searchIn = (
  scope: string,
) => `<d:searchrequest xmlns:d="DAV:"><d:basicsearch><d:select><d:prop><d:displayname/></d:prop></d:select>
  <d:from><d:scope><d:href>${scope}</d:href><d:depth>infinity</d:depth></d:scope></d:from>
  <d:where><d:like><d:prop><d:displayname/></d:prop><d:literal>%</d:literal></d:like></d:where></d:basicsearch></d:searchrequest>`;

/** Where an app would find what Olga shares, and what is hers, in its own tree and in hers. */
const placesOf = (username: string) => [
  ...[`${DAV_FILES}/${username}/Shared%20with%20me/Olga`, `${DAV_FILES}/${username}/Shared%20with%20me`],
  ...[`${DAV_FILES}/olga`, `${DAV_FILES}/olga/My%20files`],
];

/** Files that arrive in parts: those of others, and those that are to be stored at others. */
function byTransfers({ transfer }: Secrets, { api, username = 'gran' }: Caller): Asked[] {
  const trees = [`/remote.php/dav/uploads/${username}`, '/remote.php/dav/uploads/olga'];
  const names = [transfer, `${NEVER.name}-transfer`] as const;
  const destination = `${DAV_FILES}/${username}/My%20files/stolen.txt`;
  return [
    ...trees.flatMap((tree) => [
      bothNames(
        api,
        'PROPFIND',
        (name) => `${tree}/${name}`,
        names,
        () => ({ headers: { depth: '1' } }),
      ),
      bothNames(
        api,
        'PUT',
        (name) => `${tree}/${name}/2`,
        names,
        () => ({ body: 'theirs' }),
      ),
      bothNames(
        api,
        'MOVE',
        (name) => `${tree}/${name}/.file`,
        names,
        () => ({ headers: { destination } }),
      ),
      bothNames(
        api,
        'DELETE',
        (name) => `${tree}/${name}/1`,
        names,
        () => ({}),
      ),
      bothNames(
        api,
        'DELETE',
        (name) => `${tree}/${name}`,
        names,
        () => ({}),
      ),
    ]),
    ...placesOf(username).map((place) =>
      bothNames(
        api,
        'MKCOL',
        () => `${trees[0]}/begun`,
        SECRET,
        (name) => ({
          headers: { destination: `${place}/${name}/new.txt` },
        }),
      ),
    ),
  ];
}

/** What apps name by the number of a file: earlier versions and previews. */
function byFileNumbers({ uuids }: Secrets, { api, username = 'gran' }: Caller): Asked[] {
  return ['secret.txt', 'secret.svg'].flatMap((item) => {
    const names = [fileId(uuids.get(item) ?? ''), fileId(NEVER.uuid)] as const;
    return [
      ...[username, 'olga'].flatMap((user) => {
        const tree = `/remote.php/dav/versions/${user}`;
        const headers = { destination: `${tree}/restore/target` };
        return [
          bothNames(
            api,
            'PROPFIND',
            (id) => `${tree}/versions/${id}`,
            names,
            () => ({ headers: { depth: '1' } }),
          ),
          bothNames(
            api,
            'GET',
            (id) => `${tree}/versions/${id}/1`,
            names,
            () => ({}),
          ),
          bothNames(
            api,
            'DELETE',
            (id) => `${tree}/versions/${id}/1`,
            names,
            () => ({}),
          ),
          bothNames(
            api,
            'MOVE',
            (id) => `${tree}/versions/${id}/1`,
            names,
            () => ({ headers }),
          ),
        ];
      }),
      bothNames(
        api,
        'GET',
        (id) => `/index.php/core/preview?fileId=${id}&x=64&y=64`,
        names,
        () => ({}),
      ),
    ];
  });
}

/** Previews of what is in the trash, and those of files by the addresses of deleted ones, and the other way round. */
function byTrashedNumbers({ trashedDrawing, uuids }: Secrets, { api }: Caller): Asked[] {
  const preview = (place: string, uuid: string) =>
    bothNames(
      api,
      'GET',
      (id) => `/index.php${place}/preview?fileId=${id}&x=64&y=64&forceIcon=0`,
      [fileId(uuid), fileId(NEVER.uuid)],
      () => ({}),
    );
  return [
    preview('/apps/files_trashbin', trashedDrawing),
    preview('/apps/files_trashbin', uuids.get('secret.svg') ?? ''),
    preview('/core', trashedDrawing),
  ];
}

/** Lists and searches of apps, and pictures by path. */
function byAppPaths(_secrets: Secrets, { api, username = 'gran' }: Caller): Asked[] {
  const scopes = placesOf(username).map((place) => place.slice('/remote.php/dav'.length));
  const shared = ['Shared%20with%20me/Olga', 'Shared%20with%20me', 'My%20files', 'My%20files/../olga'];
  return [
    ...placesOf(username).map((place) =>
      bothNames(
        api,
        'REPORT',
        (name) => `${place}/${name}`,
        SECRET,
        () => ({ body: REPORT }),
      ),
    ),
    ...scopes.map((scope) =>
      bothNames(
        api,
        'SEARCH',
        () => '/remote.php/dav/',
        SECRET,
        (name) => ({
          headers: { 'content-type': 'text/xml' },
          body: searchIn(`${scope}/${name}`),
        }),
      ),
    ),
    ...shared.flatMap((folder) => [
      bothNames(
        api,
        'GET',
        (name) => `/index.php/apps/files/api/v1/thumbnail/64/64/${folder}/${name}/secret.svg`,
        SECRET,
        () => ({}),
      ),
      bothNames(
        api,
        'POST',
        () => OCS_SHARES,
        SECRET,
        (name) => ({
          headers: { ...OCS, 'content-type': 'application/x-www-form-urlencoded' },
          body: `path=/${folder}/${name}&shareType=0&shareWith=ben`,
        }),
      ),
    ]),
  ];
}

/** Guests know only whom they share with; accounts of this household see each other. */
const isGuest = ({ username }: Caller) => username === undefined;

const PERSON = ['gil', NEVER.name] as const;
const SHARING = '/ocs/v2.php/apps/files_sharing/api/v1';

/** The picture of somebody. */
function byAvatars(_secrets: Secrets, { api }: Caller): Asked[] {
  return ['/64', '/512/dark'].map((size) =>
    bothNames(
      api,
      'GET',
      (name) => `/index.php/avatar/${name}${size}`,
      PERSON,
      () => ({}),
    ),
  );
}

function bySharees(_secrets: Secrets, { api }: Caller): Asked[] {
  return [
    bothNames(
      api,
      'GET',
      (name) => `${SHARING}/sharees?itemType=file&search=${name}`,
      PERSON,
      () => ({ headers: OCS }),
    ),
  ];
}

/** The list takes no name: whether it has one of them is what it tells. */
function byRecommended(_secrets: Secrets, { api }: Caller): Asked[] {
  const path = `${SHARING}/sharees_recommended?itemType=file&format=json`;
  const has = (name: string) => async () => {
    const { status, text } = await api.send('GET', path, { headers: OCS });
    return `${status} ${text.includes(`"${name}"`)}`;
  };
  return [[`GET ${path}`, has(PERSON[0]), has(PERSON[1])]];
}
