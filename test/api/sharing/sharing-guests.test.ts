import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { addMembersWithHomes, setPermissions, signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import {
  listed,
  openSharingHousehold,
  outcome,
  type SharingHousehold,
  signInAsGuest,
} from '../../support/requests/sharing.ts';

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
  await household.control('accounts.update', { username: 'ben', email: 'ben@example.net' });
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';
let count = 0;
let box: string;
beforeEach(async () => {
  count += 1;
  box = `box${count}`;
  await household.put(`${box}/a.txt`);
});

const olga = () => household.as('olga');
const invite = (email: string, form: object = {}) =>
  olga().post('files/share', { path: `${HOME}/${box}`, name: 'Gran', email, ...form });

async function invited(email: string, form: object = {}): Promise<{ uid: number; shareid: number; link: string }> {
  const { status, body, text } = await invite(email, form);
  if (status !== 200) throw new Error(text);
  return { uid: body.data.uid, shareid: body.data.shareid, link: body.data.guest?.link ?? '' };
}

async function accountOf(id: number): Promise<Record<string, unknown> | undefined> {
  const { accounts } = (await household.control('accounts.list')) as { accounts: { id: number }[] };
  return accounts.find((account) => account.id === id);
}

/** Opens a private link in a browser. @returns the statuses of looking and of going on */
async function open(link: string): Promise<[number, number]> {
  const visitor = new WebVisitor(household);
  const { pathname, search } = new URL(link);
  const page = await visitor.get(pathname + search);
  const form = { form_token: page.field('form_token'), id: page.field('id') };
  return [page.status, (await visitor.post('/guest/', form)).status];
}

describe('a guest', () => {
  it('is created with a name and an address, with a private link that is shown once', async () => {
    const reply = await invite('gran@example.net');
    const { uid, shareid, guest } = reply.body.data;
    expect(guest).toMatchObject({ name: 'Gran', email: 'gran@example.net', mailed: false });
    expect(guest.link).toMatch(new RegExp(`^https://127\\.0\\.0\\.1:${household.port}/guest/\\?id=[\\w-]{43}$`));
    expect(Date.parse(guest.expires)).toBe(Math.floor((household.clock.now() + 90 * DAY) / 1000) * 1000);
    // Again: the same guest, and no link.
    const again = await invite('GRAN@example.net', { upload: 1 });
    expect(again.body.data).toEqual({ shareid, uid });
    await household.put('another/');
    const other = await olga().post('files/share', {
      path: `${HOME}/another`,
      name: 'Granny',
      email: 'gran@example.net',
    });
    expect(other.body.data).toEqual({ shareid: other.body.data.shareid, uid });
    expect(await accountOf(uid)).toMatchObject({ type: 'guest', name: 'Gran', activated: true });
    expect(household.logged()).not.toContain(guest.link.split('id=')[1]);
  });

  it('sees only items shared with them, in an app and on pages', async () => {
    const { link, shareid } = await invited('see@example.net', { upload: 1 });
    const gran = await signInAsGuest(household, link);
    const top = listed(await gran.get('files/browse', { path: '/ROOT' }));
    expect(top.map(([, path]) => path)).toEqual(['/ROOT/SHARED', '/RECENT', '/STARRED', '/PHOTOS', '/MUSIC']);
    const path = `/ROOT/${household.ids.olga}/${shareid}`;
    expect(listed(await gran.get('files/browse', { path }))).toEqual([['a.txt', `${path}/a.txt`]]);
    expect((await gran.get('files/download', { path: `${path}/a.txt` })).text).toBe(`content of ${box}/a.txt`);
    expect((await gran.put({ path: `${path}/from-gran.txt` }, 'hello')).status).toBe(201);
    const form = new FormData();
    form.append('file', new Blob([Buffer.from('from a form')]));
    form.append('path', `${path}/form.txt`);
    const packed = new Response(form);
    const headers = { 'content-type': packed.headers.get('content-type') ?? '' };
    const body = Buffer.from(await packed.arrayBuffer());
    expect((await gran.send('POST', '/api.php/files/upload', { headers, body })).status).toBe(200);
    for (const other of ['/ROOT/HOME', '/TRASH', `/ROOT/${household.ids.ben}`]) {
      expect(outcome(await gran.get('files/browse', { path: other })), other).toEqual([404, 'not_found']);
    }
    expect(outcome(await gran.post('files/share', { path, uid: household.ids.ben }))).toEqual([
      403,
      'permission_denied',
    ]);
  });

  it('has to confirm the sign-in: opening the link signs nobody in, including robots', async () => {
    const { link, uid } = await invited('look@example.net');
    const visitor = new WebVisitor(household);
    const { pathname, search } = new URL(link);
    const page = await visitor.get(pathname + search);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(t('guest.submit', { name: 'Gran' }))]);
    expect([...visitor.cookies.keys()]).toEqual(['__Host-larder-visitor']);
    // Who shares it is not said: it may be shared anonymously.
    expect(page.text).not.toMatch(/olga|mia/i);
    expect((await accountOf(uid))?.lastLoginAt ?? null).toBeNull();
    const entered = await visitor.post('/guest/', { form_token: page.field('form_token'), id: page.field('id') });
    expect([entered.status, entered.location]).toEqual([303, '/files/']);
    expect([...visitor.cookies.keys()]).toEqual(['__Host-larder-session']);
    const foreign = await new WebVisitor(household).post('/guest/', { form_token: 'x', id: page.field('id') });
    expect(foreign.status).toBe(403);
  });

  it('has no password and cannot get one, neither by signing in nor by a reset', async () => {
    const { uid } = await invited('nopassword@example.net');
    const { username } = (await accountOf(uid)) as { username: string };
    const token = await household.api.token({
      ...{ grant_type: 'password', username, password: '', scope: 'list' },
      client_id: household.clientId,
      client_secret: household.clientSecret,
    });
    expect(token.body.error).toBe('invalid_request');
  });

  it('cannot use the link after its lifetime, and gets a new one with the next share', async () => {
    const { link, uid } = await invited('late@example.net');
    household.clock.advance(90 * DAY - 1_000);
    expect(await open(link)).toEqual([200, 303]);
    household.clock.advance(1_000);
    expect(await open(link)).toEqual([410, 403]);
    await Promise.all((['olga', 'ben', 'gil', 'sam'] as const).map((name) => household.signInAgain(name)));
    const again = await invited('late@example.net');
    expect([again.uid, again.link === link]).toEqual([uid, false]);
    expect(await open(again.link)).toEqual([200, 303]);
    expect((await open(link))[0]).toBe(410);
  });

  it.each(['', 'x', 'a'.repeat(43), '../../etc', '%00', "' OR 1=1 --"])('has no other valid link: %j', async (id) => {
    const page = await new WebVisitor(household).get(`/guest/?id=${encodeURIComponent(id)}`);
    expect([page.status, page.text]).toEqual([410, expect.stringContaining(t('guest.ended.heading'))]);
  });

  it('is signed out, deactivated and later deleted when the last share ends', async () => {
    await household.control('settings.update', { guestsKeptDays: 5, guestLinkDays: 10 });
    const { link, uid } = await invited('gone@example.net');
    await household.put(`${box}/more/`);
    const more = { path: `${HOME}/${box}/more`, name: 'Gran', email: 'gone@example.net' };
    await olga().post('files/share', more);
    const gran = await signInAsGuest(household, link);
    await olga().post('files/unshare', { path: `${HOME}/${box}`, uid });
    expect((await gran.get('files/browse', { path: '/ROOT/SHARED' })).status).toBe(200);
    await olga().post('files/unshare', { path: `${HOME}/${box}/more`, uid });
    expect(outcome(await gran.get('files/browse', { path: '/ROOT/SHARED' }))).toEqual([401, 'invalid_token']);
    expect(await open(link)).toEqual([410, 403]);
    expect(await accountOf(uid)).toMatchObject({ activated: false });
    // Back before that, with another link.
    const back = await invited('gone@example.net');
    expect([back.uid, await open(back.link), (await open(link))[0]]).toEqual([uid, [200, 303], 410]);
    await olga().post('files/unshare', { path: `${HOME}/${box}`, uid });
    household.clock.advance(5 * DAY - 1_000);
    await household.larder.maintenance();
    expect(await accountOf(uid)).toBeDefined();
    household.clock.advance(1_000);
    await household.larder.maintenance();
    expect(await accountOf(uid)).toBeUndefined();
    await Promise.all((['olga', 'ben', 'gil', 'sam'] as const).map((name) => household.signInAgain(name)));
  });

  it('is also deactivated when the shared item or the sharer is deleted permanently', async () => {
    const { uid } = await invited('erased@example.net');
    await olga().post('files/delete', { path: `${HOME}/${box}` });
    await household.larder.maintenance();
    expect(await accountOf(uid)).toMatchObject({ activated: true });
    await olga().post('files/trash/empty');
    await household.larder.maintenance();
    expect(await accountOf(uid)).toMatchObject({ activated: false });
    await addMembersWithHomes(household, { tim: {} });
    const tim = await signInAs(household, 'tim');
    await tim.post('files/createfolder', { path: HOME, name: 'tims' });
    const form = { path: `${HOME}/tims`, name: 'Gran', email: 'erased@example.net' };
    const theirs = (await tim.post('files/share', form)).body.data;
    const { id } = (await tim.get('account/info')).body;
    await household.control('accounts.remove', { ids: [Number(id)] });
    expect(await accountOf(theirs.uid)).toBeUndefined();
    expect(await open(theirs.guest.link)).toEqual([410, 403]);
  });
});

describe('the address of an account', () => {
  it('of an existing account creates no guest or link: the item is shared with that account', async () => {
    const before = ((await household.control('accounts.list')) as { accounts: unknown[] }).accounts.length;
    const reply = await invite('Ben@Example.NET');
    expect(reply.body.data).toEqual({ shareid: reply.body.data.shareid, uid: household.ids.ben });
    expect(((await household.control('accounts.list')) as { accounts: unknown[] }).accounts).toHaveLength(before);
    const path = `/ROOT/${household.ids.olga}/${reply.body.data.shareid}`;
    expect((await household.as('ben').get('files/browse', { path })).status).toBe(200);
    await household.control('accounts.update', { username: 'olga', email: 'olga@example.net' });
    expect(outcome(await invite('olga@example.net'))).toEqual([400, 'invalid_parameter']);
  });

  it('of another person’s guest creates a separate guest: guests belong to one person', async () => {
    const { uid } = await invited('both@example.net');
    const ben: ApiClient = household.as('ben');
    await ben.post('files/createfolder', { path: HOME, name: `bens-${box}` });
    const form = { path: `${HOME}/bens-${box}`, name: 'Gran', email: 'both@example.net' };
    const other = (await ben.post('files/share', form)).body.data;
    expect(other.uid).not.toBe(uid);
    expect(other.guest.link).toContain('/guest/?id=');
    // Nor by its id.
    expect(outcome(await ben.post('files/share', { path: `${HOME}/bens-${box}`, uid }))).toEqual([
      400,
      'invalid_parameter',
    ]);
    const theirs = await signInAsGuest(household, other.guest.link);
    expect(listed(await theirs.get('files/browse', { path: '/ROOT/SHARED' }))).toEqual([
      ['Mia', `/ROOT/${household.ids.ben}`],
    ]);
  });

  it('reveals nothing without the permission for guests: the reply is always the same', async () => {
    const { shareid, uid, link } = await invited('perm@example.net');
    const gran = await signInAsGuest(household, link);
    await setPermissions(household, { olga: { share_guests: false } });
    try {
      for (const email of ['ben@example.net', 'new@example.net', 'perm@example.net']) {
        const reply = await invite(email);
        expect([...outcome(reply), reply.body.details]).toEqual([
          403,
          'permission_denied',
          { permission: 'share_guests' },
        ]);
      }
      const path = `/ROOT/${household.ids.olga}/${shareid}`;
      expect((await gran.get('files/browse', { path })).status).toBe(404);
      expect((await household.as('ben').get('files/browse', { path: '/ROOT/SHARED' })).status).toBe(200);
    } finally {
      await setPermissions(household, { olga: {} });
    }
    expect(uid).toBeGreaterThan(0);
  });
});
