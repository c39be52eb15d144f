import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { signedIn } from '../../nextcloud/support.ts';
import { buildZip } from '../../support/content/build-zip.ts';
import { DRAWING } from '../../support/content/drawing.ts';
import { treeOf } from '../../support/content/tree.ts';
import { ALL_SCOPES, type Household } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER } from '../../support/households/member.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { addField } from '../../support/requests/fields.ts';
import { openSharingHousehold, type SharingHousehold, signInAsGuest } from '../../support/requests/sharing.ts';
import { newUpload, offsetOf } from '../../support/requests/tus.ts';
import { describedCalls } from '../values/description.ts';
import { WAYS_OF_APPS } from './app-access.ts';
import { type Caller, NEVER, OCS, OCS_SHARES, type Secrets, told } from './asked.ts';
import { BY_FRONT_END } from './front-end-access.ts';
import { OBJECT_CALLS } from './object-calls.ts';

export interface AccessReport {
  readonly requests: number;
  /** How many there are if every way of naming an item is tried. */
  readonly allRequests: number;
  /** How many of the answers to those who may not had which status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What must not be, in sentences. */
  readonly complaints: readonly string[];
}

const HOME = '/ROOT/HOME';
const ITEMS = ['', 'secret.txt', 'secret.zip', 'secret.svg'] as const;
const DETAILS = ['uuid', 'mdate', 'cdate', 'weblink-full', 'description', 'fileSize', 'commentsCount', 'label'];

/**
 * OWASP API1:2023, broken object level authorization: what belongs to Olga, and is shared with one other person, is asked for by
 * accounts of all kinds, with every operation and by every way of naming it. Each answer has to be the one that somebody gets who
 * asks for what never was, to the letter; and nothing of Olga's may be another thing afterwards.
 * @param most how many ways of naming an item are tried by each account with each operation
 */
export async function objectAccess({ most }: { most: number }): Promise<AccessReport> {
  const household = await openSharingHousehold();
  try {
    const { callers, secrets } = await prepare(household);
    const complaints = await missingOperations(household);
    const statuses = new Map<number, number>();
    let requests = 0;
    let allRequests = 0;
    const before = await stateOf(household, secrets);
    const unchanged = async (what: string) => {
      const after = await stateOf(household, secrets);
      if (after !== before) complaints.push(`${what} changed something: ${difference(before, after)}`);
      return after === before;
    };
    for (const [at, caller] of callers.entries()) {
      for (const [nth, call] of OBJECT_CALLS.entries()) {
        const ways = namings(secrets, call.item, caller.kind);
        allRequests += 2 * ways.length;
        // The one that names it rightly, and of the others some, by turns.
        const others = ways.slice(1).map((_way, n, all) => all[(n + nth + at * 3) % all.length] ?? _way);
        for (const [real, never] of [...ways.slice(0, 1), ...others].slice(0, most)) {
          requests += 2;
          const asking = `${caller.kind}: ${call.of}, ${call.what}, of ${real}`;
          const [one, other] = [await call.call(caller.api, real, caller), await call.call(caller.api, never, caller)];
          statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1);
          const [asked, due] = [tokenize(one, real, call.item), tokenize(other, never, call.item)];
          if (one.status < 400 || asked !== due) complaints.push(`${asking}: ${asked} in place of ${due}`);
        }
        const uuid = secrets.uuids.get(call.item);
        if (call.byUuid !== undefined && uuid !== undefined) {
          requests += 2;
          allRequests += 2;
          const asked = told(await call.byUuid(caller.api, uuid, caller), uuid);
          const due = told(await call.byUuid(caller.api, NEVER.uuid, caller), NEVER.uuid);
          if (asked !== due) complaints.push(`${caller.kind}: ${call.of}, by uuid: ${asked} in place of ${due}`);
        }
        if (!(await unchanged(`${caller.kind}: ${call.of}, ${call.what}`)))
          return { requests, allRequests, statuses, complaints };
      }
      for (const [frontEnd, access] of Object.entries(BY_FRONT_END)) {
        if (typeof access !== 'function') continue;
        for (const [what, real, never] of access(secrets, caller)) {
          requests += 2;
          allRequests += 2;
          const [one, other] = [await real(), await never()];
          const status = Number(one.split(' ', 1)[0]);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (one !== other) complaints.push(`${caller.kind}: ${frontEnd}: ${what}: ${one} in place of ${other}`);
        }
        await unchanged(`${caller.kind}: ${frontEnd}`);
      }
    }
    const { problems } = (await household.control('doctor')) as { problems: string[] };
    complaints.push(
      ...problems.map((problem) => `The doctor says: ${problem}`),
      ...(await toldToNobody(household, secrets, callers[0]?.field ?? 0)),
      ...(await refusedToOlga(household, callers[0]?.field ?? 0)),
    );
    return { requests, allRequests, statuses, complaints };
  } finally {
    await household.close();
  }
}

async function prepare(household: SharingHousehold): Promise<{ callers: Caller[]; secrets: Secrets }> {
  const olga = household.as('olga');
  await household.put('open/mine.txt', 'open/mine.zip');
  await fill(household.at('secret'));
  const file = `${HOME}/secret/secret.txt`;
  await olga.put({ path: file }, 'the second text');
  const share = await household.share(`${HOME}/secret`, { uid: household.ids.gil, upload: 1, alter: 1 });
  const may = { upload: 1, alter: 1, share: 1 };
  const open = await household.share(`${HOME}/open`, { uid: household.ids.ben, ...may });
  const invited = await olga.post('files/share', {
    path: `${HOME}/open`,
    name: 'Gran',
    email: 'gran@example.net',
    ...may,
  });
  const uuidOf = async (path: string) =>
    String((await olga.get('files/info', { path, 'details[]': 'uuid' })).body.data.uuid);
  const said = await olga.post('files/comments/add', { path: file, comment: 'mine' });
  for (const [operation, form] of Object.entries({
    star: {},
    label: { label: 'blue' },
    'tags/add': { 'tags[]': 'mine' },
  }))
    await olga.post(`files/${operation}`, { path: file, ...form });
  await olga.put({ path: `${HOME}/gone.txt` }, 'gone');
  await olga.put({ path: `${HOME}/gone.svg` }, DRAWING);
  const trashedDrawing = await uuidOf(`${HOME}/gone.svg`);
  await olga.post('files/delete', { path: `${HOME}/gone.svg` });
  const trashed = (await olga.post('files/delete', { path: `${HOME}/gone.txt` })).body.data.trash_path;
  const linked = await olga.post('files/weblink', { path: `${HOME}/secret`, password: 'a password of the link' });
  await addMembersWithHomes(household, { ada: { admin_type: 'simple', admin_over: '-ALL-' } });
  const field = await addField(household);
  const own = { folder: HOME, field };
  const below = (id: number) => ({ folder: `/ROOT/${household.ids.olga}/${id}`, field });
  const metadata = { path: `${HOME}/secret`, filename: 'sent.txt' };
  const upload = await newUpload(olga, 5, metadata);
  const transfer = 'olgas-transfer';
  for (const [method, path, body] of [
    ['MKCOL', '', ''],
    ['PUT', '/1', 'a part'],
  ] as const) {
    const { status, text } = await olga.send(method, `/remote.php/dav/uploads/olga/${transfer}${path}`, { body });
    if (status !== 201) throw new Error(`the transfer of an app did not begin: ${status} ${text}`);
  }
  const shares = await olga.send('GET', `${OCS_SHARES}?format=json`, { headers: OCS });
  const ofApps = (shares.body.ocs?.data ?? []) as { id: string; path: string }[];
  const pagesOf = (username: string, password = MEMBER.password) => signedIn(household, { username, password });
  const gran = await signInAsGuest(household, invited.body.data.guest.link);
  const callers: Caller[] = [
    { kind: 'the owner', username: 'ann', api: await household.signIn(), pages: await signedIn(household), ...own },
    {
      kind: 'an administrator',
      username: 'ada',
      api: await administrator(household),
      pages: await pagesOf('ada'),
      ...own,
    },
    { kind: 'a stranger', username: 'sam', api: household.as('sam'), pages: await pagesOf('sam'), ...own },
    {
      kind: 'somebody with another share',
      username: 'ben',
      api: household.as('ben'),
      pages: await pagesOf('ben'),
      ...below(open),
    },
    { kind: 'a guest with another share', api: gran, ...below(Number(invited.body.data.shareid)) },
  ];
  for (const name of ['ann', 'ada', 'sam']) await fill(homeOf(household, name), 'mine');
  await writeFile(household.at('open/mine.zip'), buildZip([{ name: 'mine.txt', content: 'mine' }]));
  const drawing = await uuidOf(`${HOME}/secret/secret.svg`);
  const { album } = (await olga.post('albums/add', { title: 'Olgas' })).body.data;
  await olga.post('albums/items/add', { album, items: JSON.stringify([{ uuid: drawing }]) });
  await olga.post('albums/share', { album, uid: household.ids.gil });
  const picture = await household.as('gil').send('PUT', '/api.php/account/avatar', { body: await squarePicture() });
  if (picture.status !== 200) throw new Error(`no picture of Gil: ${picture.text}`);
  const secrets = {
    album: `${album}/${drawing}`,
    ...{ olga: household.ids.olga, share, open, trashed, trashedDrawing, upload, transfer },
    ocsShare: String(ofApps.find(({ path }) => path.endsWith('/secret'))?.id ?? ''),
    comment: Number(said.body.data.id),
    uuids: new Map(
      await Promise.all(ITEMS.map(async (item) => [item, await uuidOf(`${HOME}/secret/${item}`)] as const)),
    ),
    link: String(linked.body.data?.url ?? linked.body.data?.weblink ?? ''),
  };
  if (secrets.ocsShare === '') throw new Error(`the share has no number for apps: ${shares.text}`);
  return { callers, secrets };
}

const squarePicture = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

async function fill(folder: string, name = 'secret'): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.txt`), `the ${name} text`);
  await writeFile(join(folder, `${name}.svg`), DRAWING);
  await writeFile(join(folder, `${name}.zip`), buildZip([{ name: `${name}.txt`, content: name }]));
}

async function administrator(household: Household): Promise<ApiClient> {
  const { clientId: client_id, clientSecret: client_secret } = household;
  const form = { ...MEMBER, grant_type: 'password', username: 'ada', scope: ALL_SCOPES, client_id, client_secret };
  const { status, body, text } = await household.api.token(form);
  if (status !== 200) throw new Error(`no token for the administrator: ${text}`);
  return household.api.with(String(body.access_token));
}

/** An operation that takes a path and is not in the table would go untried. */
async function missingOperations(household: Household): Promise<string[]> {
  const calls = await describedCalls(household.api);
  const named = new Set([...OBJECT_CALLS.map(({ of }) => of), ...BY_NUMBER]);
  const taking = calls.filter(({ parameters }) => parameters.some(({ name }) => /path|^UIDS?$/i.test(name)));
  const missing = taking.map(({ path }) => path.slice(1)).filter((operation) => !named.has(operation));
  const byUuid = new Set(OBJECT_CALLS.flatMap(({ of, byUuid: tried }) => (tried === undefined ? [] : [of])));
  const takingUuid = calls.filter(({ parameters }) => parameters.some(({ name }) => name === 'uuid'));
  const untried = takingUuid
    .map(({ path }) => path.slice(1))
    .filter((one) => !byUuid.has(one) && !BY_NUMBER.includes(one));
  return [
    ...[...new Set(missing)].map((operation) => `${operation} is not tried.`),
    ...[...new Set(untried)].map((operation) => `${operation} is not tried by uuid.`),
  ];
}

/** Ways to name an item of Olga's, each with the same way to name what never was. The first is the one that a recipient has. */
function namings({ olga, share, open, link, album, trashed }: Secrets, item: string, kind: string): [string, string][] {
  const below = (base: string) => (item === '' ? base : `${base}/${item}`);
  const pair = (name: (part: string | number) => string, real: string | number, never: string | number) =>
    [below(name(real)), below(name(never))] as [string, string];
  const secret = (base: string) => pair((name) => `${base}${name}`, 'secret', NEVER.name);
  return [
    pair((id) => `/ROOT/${olga}/${id}`, share, NEVER.share),
    secret(`/ROOT/${olga}/`),
    secret('/ROOT/olga/'),
    secret('/ROOT/olga/HOME/'),
    secret('/ROOT/HOME/../olga/'),
    // For the one who is shared the other folder, from there.
    secret(kind.includes('another share') ? `/ROOT/${olga}/${open}/../` : '/ROOT/SHARED/../olga/'),
    secret(`/ROOT/${olga}/${open}%2f..%2f`),
    secret('/ROOT/SHARED/'),
    pair((id) => `/ROOT/0/${id}`, share, NEVER.share),
    pair((id) => `/ROOT/${olga}/+${id}`, share, NEVER.share),
    pair((id) => `/ROOT/${olga}/${id}.0`, share, NEVER.share),
    pair((id) => `/ROOT/0${olga}/${id}`, share, NEVER.share),
    pair((id) => `/LINKS/${id}`, link.split('/').filter(Boolean).at(-1) ?? '', NEVER.name),
    pair((id) => `${id}`, trashed, '/TRASH/nevers'),
    pair((id) => `/ALBUMS/${id}`, album, `${NEVER.uuid}/${NEVER.uuid}`),
  ];
}

/** An answer without the name that was asked for. */
function tokenize({ status, text, headers }: Reply, path: string, item: string): string {
  const base = item === '' ? path : path.slice(0, -item.length - 1);
  const short = text
    .replaceAll(path, '…')
    .replaceAll(base, '…')
    .replaceAll(base.split('/').at(-1) ?? '…', '…');
  return `${status} ${headers['content-type']} ${short}`;
}

/** They name no item. Albums of others: `test/albums/matrix.test.ts`. */
const BY_NUMBER = [
  ...['albums/share', 'albums/unshare', 'albums/link', 'albums/unlink'],
  ...['files/comments/delete', 'files/trash/restore', 'files/trash/delete'],
  ...['admin-users/info', 'admin-users/avatar', 'admin-users/edit', 'admin-users/delete'],
];

/** The parts of a transfer, with their sizes. */
async function transferOf(olga: ApiClient, name: string): Promise<string> {
  const path = `/remote.php/dav/uploads/olga/${name}`;
  const { status, text } = await olga.send('PROPFIND', path, { headers: { depth: '1' } });
  return `${status} ${text}`;
}

/** Everything of Olga's that somebody could have changed, as text. */
async function stateOf(household: SharingHousehold, { comment, upload, transfer }: Secrets): Promise<string> {
  const olga = household.as('olga');
  const file = { path: `${HOME}/secret/secret.txt` };
  const replies = [
    await olga.post('files/browse', { path: HOME, recursive: 1, 'details[]': DETAILS }),
    ...(await Promise.all(
      ['/TRASH', '/LINKS', '/STARRED', '/SHARES'].map((path) => olga.post('files/browse', { path })),
    )),
    await olga.post('files/comments/list', file),
    await olga.post('files/versions/list', file),
    await olga.post('files/metadata', file),
  ];
  const failed = replies.find(({ status }) => status !== 200);
  if (failed !== undefined) return `${comment}: ${failed.text}`;
  const shared = await household.as('gil').post('files/browse', { path: '/ROOT/SHARED', recursive: 1 });
  return JSON.stringify(
    [
      replies.map(({ body }) => body),
      await offsetOf(olga, upload),
      shared.body,
      await transferOf(olga, transfer),
      await treeOf(homeOf(household, 'olga')),
    ],
    null,
    1,
  );
}

function difference(before: string, after: string): string {
  const old = new Set(before.split('\n'));
  return after
    .split('\n')
    .filter((line) => !old.has(line))
    .join(' ')
    .slice(0, 500);
}

/** Front ends that give the same answers to those who may: then the same answers to all others say nothing. */
async function toldToNobody(household: SharingHousehold, secrets: Secrets, field: number): Promise<string[]> {
  const complaints: string[] = [];
  const people: Caller[] = [];
  for (const username of ['gil', 'olga'] as const) {
    const pages = await signedIn(household, { username, password: MEMBER.password });
    people.push({ kind: username, username, api: household.as(username), pages, folder: HOME, field });
  }
  for (const [frontEnd, access] of Object.entries({ ...BY_FRONT_END, ...WAYS_OF_APPS })) {
    if (typeof access !== 'function') continue;
    let isTold = false;
    for (const [, real, never] of people.flatMap((person) => access(secrets, person))) {
      isTold = (await real()) !== (await never());
      // What comes later may change or delete it.
      if (isTold) break;
    }
    if (!isTold) complaints.push(`${frontEnd} tells those who may nothing.`);
  }
  return complaints;
}

/** The same calls by Olga on what is hers: if they were refused to her as well, the refusals above would say nothing. */
async function refusedToOlga(household: SharingHousehold, field: number): Promise<string[]> {
  const olga = household.as('olga');
  const complaints: string[] = [];
  for (const [nth, call] of OBJECT_CALLS.entries()) {
    const [box, own] = [`box${nth}`, `own${nth}`];
    await fill(household.at(box));
    await fill(household.at(own), 'mine');
    const file = `${HOME}/${box}/secret.txt`;
    await olga.put({ path: file }, 'the second text');
    if (call.of === 'files/unshare') await olga.post('files/share', { path: `${HOME}/${box}`, uid: household.ids.ben });
    if (/edit|unweblink/.test(call.of)) await olga.post('files/weblink', { path: `${HOME}/${box}` });
    if (/unstar|unlock/.test(call.of)) await olga.post(call.of.replace('un', ''), { path: file });
    const path = call.item === '' ? `${HOME}/${box}` : `${HOME}/${box}/${call.item}`;
    const { status, text } = await call.call(olga, path, { folder: `${HOME}/${own}`, field });
    if (status >= 400) complaints.push(`Olga herself: ${call.of}, ${call.what}: ${status} ${text.slice(0, 200)}`);
  }
  return complaints;
}
