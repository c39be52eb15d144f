import { metadataOf, OFFSET_TYPE, TUS } from '../../support/requests/tus.ts';
import { byApps } from './app-access.ts';
import {
  type Asked,
  bothNames,
  type Caller,
  NEVER,
  SECRET,
  type Secrets,
  type Sent,
  type Told,
  told,
} from './asked.ts';

export type FrontEndAccess =
  | ((secrets: Secrets, caller: Caller) => readonly Asked[])
  /** Why there is nothing to ask for. */
  | { readonly takesNoItem: string };

/**
 * How each front end is asked for what belongs to Olga. A front end without an entry fails `test/access/front-ends.test.ts`. The API
 * has the operations of `object-calls.ts` as well.
 */
export const BY_FRONT_END: Readonly<Record<string, FrontEndAccess>> = {
  api: byNumber,
  'api description': { takesNoItem: 'it is the same for everyone' },
  nextcloud: byApps,
  webdav: byDav,
  tus: byTus,
  panel: { takesNoItem: 'it has sessions of its own, for the owner only' },
  oauth: { takesNoItem: 'it gives tokens' },
  public: { takesNoItem: 'it is the same for everyone' },
  pages: byPages,
};

/** What is named by a number or a name of its own, not below a folder. */
function byNumber({ comment, trashed, olga }: Secrets, { kind, api, folder }: Caller): Asked[] {
  type FormOf = (id: string | number) => Record<string, string | number>;
  const of =
    (operation: string, form: FormOf, id: string | number): Told =>
    async () =>
      told(await api.post(operation, form(id)), String(id));
  const both = (operation: string, form: FormOf, real: string | number, never: string | number): Asked => [
    `${operation} of ${real}`,
    of(operation, form, real),
    of(operation, form, never),
  ];
  return [
    both('files/comments/delete', (id) => ({ path: `${folder}/mine.txt`, id }), comment, NEVER.id),
    both('files/trash/restore', (path) => ({ path }), trashed, '/TRASH/nevers.txt'),
    both('files/trash/delete', (path) => ({ path }), trashed, '/TRASH/nevers.txt'),
    // Those who look after people may.
    ...(kind === 'the owner' || kind === 'an administrator'
      ? []
      : [
          both('admin-users/info', (UID) => ({ UID }), olga, NEVER.id),
          both('admin-users/avatar', (UID) => ({ UID }), olga, NEVER.id),
          both('admin-users/edit', (UID) => ({ UID, 'data[name]': 'theirs' }), olga, NEVER.id),
          both('admin-users/delete', (id) => ({ 'UIDS[]': id }), olga, NEVER.id),
        ]),
  ];
}

const PROPPATCH = `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><Z:a xmlns:Z="urn:z">b</Z:a></D:prop></D:set></D:propertyupdate>`;
const LOCK = `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`;
const DAV_PLACES = [
  ...['/dav/Shared%20with%20me/Mia', '/dav/Shared%20with%20me', '/remote.php/webdav/../olga'],
  ...['/dav/files/olga', '/dav/files/olga/My%20files', '/remote.php/dav/files/olga/My%20files'],
  ...['/dav/My%20files/../olga', '/dav/My%20files/..%2f..%2folga', '/dav/Shared%20with%20me/Olga', '/dav/olga'],
];
const DAV_REQUESTS: readonly (readonly [method: string, item: string, sent: Sent])[] = [
  ['PROPFIND', '', { headers: { depth: '1' } }],
  ['PROPFIND', '/secret.txt', { headers: { depth: '0' } }],
  ['GET', '/secret.txt', {}],
  ['HEAD', '/secret.txt', {}],
  ['PUT', '/secret.txt', { body: 'theirs' }],
  ['PUT', '/new.txt', { body: 'theirs' }],
  ['MKCOL', '/new', {}],
  ['PROPPATCH', '/secret.txt', { body: PROPPATCH }],
  ['LOCK', '/secret.txt', { headers: { depth: '0' }, body: LOCK }],
  ['UNLOCK', '/secret.txt', { headers: { 'lock-token': '<urn:uuid:00000000-0000-4000-8000-000000000000>' } }],
  ['COPY', '/secret.txt', { headers: { destination: '/dav/My%20files/stolen.txt' } }],
  ['MOVE', '/secret.txt', { headers: { destination: '/dav/My%20files/stolen.txt' } }],
  ['DELETE', '/secret.txt', {}],
  ['DELETE', '', {}],
];

function byDav(_secrets: Secrets, { api }: Caller): Asked[] {
  return DAV_PLACES.flatMap((place) => [
    ...DAV_REQUESTS.map(([method, item, sent]) =>
      bothNames(
        api,
        method,
        (name) => `${place}/${name}${item}`,
        SECRET,
        () => sent,
      ),
    ),
    // Nor is anything put there.
    ...['COPY', 'MOVE'].map((method) =>
      bothNames(
        api,
        method,
        () => '/dav/My%20files/mine.zip',
        SECRET,
        (name) => ({
          headers: { destination: `${place}/${name}/mine.zip` },
        }),
      ),
    ),
  ]);
}

function byTus({ olga, share, upload }: Secrets, { api }: Caller): Asked[] {
  const never = `/tus/${'0'.repeat(32)}`;
  const created = (folder: string) => ({
    headers: { ...TUS, 'upload-length': '5', 'upload-metadata': metadataOf({ path: folder, filename: 'secret.txt' }) },
  });
  const patched = { headers: { ...TUS, ...OFFSET_TYPE, 'upload-offset': '0' }, body: '12345' };
  return [
    bothNames(api, 'POST', () => '/tus/', [`/ROOT/${olga}/${share}`, `/ROOT/${olga}/${NEVER.share}`], created),
    bothNames(api, 'POST', () => '/tus/', ['/ROOT/olga/secret', `/ROOT/olga/${NEVER.name}`], created),
    bothNames(
      api,
      'HEAD',
      (address) => address,
      [upload, never],
      () => ({ headers: TUS }),
    ),
    bothNames(
      api,
      'PATCH',
      (address) => address,
      [upload, never],
      () => patched,
    ),
    bothNames(
      api,
      'DELETE',
      (address) => address,
      [upload, never],
      () => ({ headers: TUS }),
    ),
  ];
}

function byPages({ olga, share, open, trashed }: Secrets, { pages }: Caller): Asked[] {
  if (pages === undefined) return [];
  const places: (readonly [string, string])[] = [
    [`/ROOT/${olga}/${share}`, `/ROOT/${olga}/${NEVER.share}`],
    ['/ROOT/olga/secret', `/ROOT/olga/${NEVER.name}`],
    ['/ROOT/SHARED/secret', `/ROOT/SHARED/${NEVER.name}`],
    [`/ROOT/${olga}/${open}/../secret`, `/ROOT/${olga}/${open}/../${NEVER.name}`],
    [trashed, `/TRASH/${NEVER.name}`],
  ];
  // Pages have tokens of their own, and the paths that were asked for.
  const seen =
    (address: string, path: string): Told =>
    async () => {
      const { status, text } = await pages.get(address.replace('…', encodeURIComponent(path)));
      return `${status} ${['the secret text', 'the second text', 'secret.zip'].filter((one) => text.includes(one))}`;
    };
  const addresses = ['/files/?path=…', '/files/item?path=…', '/files/view?path=…', '/files/do/rename?path=…'];
  const ofFiles = [
    '/files/download?path=…%2Fsecret.txt',
    '/files/thumbnail?path=…%2Fsecret.svg',
    '/files/film?path=…%2Fsecret.txt',
    '/files/download?path=…',
  ];
  return places.flatMap(([real, never]) =>
    [...addresses, ...ofFiles].map(
      (address): Asked => [`${address} of ${real}`, seen(address, real), seen(address, never)],
    ),
  );
}
