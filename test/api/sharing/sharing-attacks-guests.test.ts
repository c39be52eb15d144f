import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { homeOf, MEMBER, setPermissions } from '../../support/households/member.ts';
import {
  listed,
  openSharingHousehold,
  outcome,
  type SharingHousehold,
  signInAsGuest,
} from '../../support/requests/sharing.ts';
import { t } from '../../support/server-texts.ts';
import { eventually } from '../../support/system/eventually.ts';
import { type MailServer, openMailServer } from '../../support/system/mail-server.ts';

let household: SharingHousehold;
let server: MailServer;
beforeAll(async () => {
  [household, server] = await Promise.all([openSharingHousehold(), openMailServer()]);
  await household.control('settings.update', {
    smtpHost: '127.0.0.1',
    smtpPort: server.port,
    smtpSecurity: 'none',
    mailFrom: 'larder@orchard.example',
    baseUrl: 'https://orchard.example/',
  });
});
afterAll(async () => {
  await household?.close();
  await server?.close();
});

const HOME = '/ROOT/HOME';
const EVERYTHING = { upload: 1, download: 1, comment: 1, read_comments: 1, alter: 1, share: 1 };
let count = 0;
let box: string;
let email: string;
beforeEach(async () => {
  count += 1;
  box = `box${count}`;
  email = `guest${count}@example.net`;
  await household.put(`${box}/a.txt`);
});

interface Guest {
  readonly uid: number;
  readonly shareid: number;
  readonly guest?: { readonly link: string };
}

async function invite(): Promise<Guest & { readonly link: string; readonly username: string }> {
  const form = { path: `${HOME}/${box}`, name: 'Gran', email, ...EVERYTHING };
  const { body, text } = await household.as('olga').post('files/share', form);
  if (body.data === undefined) throw new Error(text);
  const { accounts } = (await household.control('accounts.list')) as { accounts: { id: number; username: string }[] };
  const username = accounts.find(({ id }) => id === body.data.uid)?.username ?? '';
  return { ...body.data, link: body.data.guest?.link ?? '', username };
}

describe('a guest belongs to one person', () => {
  it('and cannot be added to a group', async () => {
    const { uid, username } = await invite();
    const accountIds = [household.ids.gil, uid];
    await expect(household.control('groups.setMembers', { id: household.family, accountIds })).rejects.toThrow(
      t('api.groups.guest', { username }),
    );
    await expect(household.control('accounts.update', { username, groups: ['Family'] })).rejects.toThrow(
      t('api.guests.group'),
    );
    const admin = await household.signIn();
    const edited = await admin.post('admin-users/edit', { UID: uid, 'groups[]': ['Family'] });
    expect(outcome(edited)).toEqual([400, 'invalid_parameter']);
  });

  it('even if the database contains them in a group', async () => {
    const { uid, link, shareid } = await invite();
    await mkdir(join(homeOf(household, 'ben'), box));
    const form = { path: `${HOME}/${box}`, gid: household.family };
    const bens = (await household.as('ben').post('files/share', form)).body.data.shareid;
    const olgas = await household.share(`${HOME}/${box}/a.txt`, { gid: household.family });
    await household.whileStopped(async () => {
      const { Connection } = await import('../../../dist/server/database/connection.js');
      const rows = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
      await rows.run('INSERT INTO group_members (group_id, account_id) VALUES (?, ?)', [household.family, uid]);
      await rows.close();
    });
    await Promise.all((['olga', 'ben'] as const).map((name) => household.signInAgain(name)));
    const { port } = household;
    const gran = await signInAsGuest(household, link.replace(/:\d+\//, `:${port}/`));
    const status = async (path: string) => (await gran.get('files/browse', { path })).status;
    expect(await status(`/ROOT/${household.ids.olga}/${shareid}`)).toBe(200);
    expect(await status(`/ROOT/${household.ids.ben}/${bens}`)).toBe(404);
    expect((await gran.get('files/download', { path: `/ROOT/${household.ids.olga}/${olgas}` })).status).toBe(200);
    expect(listed(await gran.get('files/browse', { path: '/ROOT/SHARED' }))).toHaveLength(1);
  });

  it('and gets no password, home, role, recovery codes or administrative rights', async () => {
    const { uid, username } = await invite();
    const refused = [
      [{ password: MEMBER.password }, 'api.guests.password'],
      [{ generatePassword: true }, 'api.guests.password'],
      [{ requirePasswordChange: true }, 'api.guests.password'],
      [{ twoStepEnabled: true }, 'api.guests.twoStep'],
      [{ createHomeFolder: true }, 'api.guests.homeFolder'],
      [{ homeFolder: join(household.folder, 'homes', 'gran') }, 'api.guests.homeFolder'],
      [{ permissions: { admin_type: 'simple', admin_users: true } }, 'api.guests.administrator'],
    ] as const;
    for (const [changes, key] of refused) {
      await expect(household.control('accounts.update', { username, ...changes })).rejects.toThrow(t(key));
    }
    const admin = await household.signIn();
    const edit = async (form: Record<string, string | number>) =>
      outcome(await admin.post('admin-users/edit', { UID: uid, ...form }));
    for (const form of [{ 'data[password]': MEMBER.password }, { generate_password: 1 }, { create_home_folder: 1 }]) {
      expect(await edit(form), JSON.stringify(form)).toEqual([400, 'invalid_parameter']);
    }
    // What people say of themselves, and when it is over, can be changed.
    expect(await edit({ 'data[name]': 'Granny', 'perms[download]': 0 })).toEqual([200, undefined]);
  });

  it('and is not exported in tables of people', async () => {
    const { username } = await invite();
    const { csv } = await household.control('accounts.export');
    expect(csv).toContain('olga');
    expect(csv).not.toContain(username);
    expect(csv).not.toContain(email);
  });

  it('and gets no mail to reset a password, whatever is entered', async () => {
    const { username } = await invite();
    await household.control('accounts.update', { username: 'sam', email: 'sam@orchard.example' });
    const visitor = new WebVisitor(household);
    for (const who of [username, email, 'sam']) {
      const { field } = await visitor.get('/account/forgotten');
      await visitor.post('/account/forgotten', { form_token: field('form_token'), who });
    }
    // Mails go out in their order: when Sam's is there, one to the guest would be, too.
    const receivers = () =>
      server.mails.flatMap(({ to, parts }) => (parts['text/plain']?.includes('/reset?') ? to : []));
    await eventually(receivers, (all) => all.includes('sam@orchard.example'));
    expect(receivers()).not.toContain(email);
  });

  it('and has no access through someone who may not share with guests', async () => {
    const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, ...EVERYTHING });
    const form = { path: `/ROOT/${household.ids.olga}/${id}`, name: 'Gran', email };
    const { body } = await household.as('ben').post('files/share', form);
    const gran = await signInAsGuest(household, body.data.guest.link);
    const seen = async () => listed(await gran.get('files/browse', { path: '/ROOT/SHARED' })).length;
    expect(await seen()).toBe(1);
    await setPermissions(household, { olga: { share_guests: false } });
    try {
      expect(await seen()).toBe(0);
      const again = await household.as('ben').post('files/share', { ...form, email: `new-${email}` });
      expect([...outcome(again), again.body.details]).toEqual([
        403,
        'permission_denied',
        { permission: 'share_guests' },
      ]);
      // With people of the household it may be shared as before.
      const { status } = await household.as('ben').post('files/share', { path: form.path, uid: household.ids.sam });
      expect(status).toBe(200);
    } finally {
      await setPermissions(household, { olga: {} });
    }
    expect(await seen()).toBe(1);
  });
});

describe('a deleted guest', () => {
  it('is restored by id or address, with a new link', async () => {
    const { uid, link } = await invite();
    await household.as('olga').post('files/unshare', { path: `${HOME}/${box}`, uid });
    const form = { path: `${HOME}/${box}`, uid };
    const { body } = await household.as('olga').post('files/share', form);
    expect(body.data).toMatchObject({ uid, guest: { name: 'Gran', email } });
    expect(body.data.guest.link).not.toBe(link);
    const gran = await signInAsGuest(household, body.data.guest.link);
    expect(listed(await gran.get('files/browse', { path: '/ROOT/SHARED' }))).toHaveLength(1);
    // While the link opens, there is no other one.
    expect((await household.as('olga').post('files/share', form)).body.data.guest).toBeUndefined();
    await setPermissions(household, { olga: { share_guests: false } });
    try {
      expect(outcome(await household.as('olga').post('files/share', form))).toEqual([403, 'permission_denied']);
    } finally {
      await setPermissions(household, { olga: {} });
    }
  });

  it('cannot use earlier sessions: only the new link', async () => {
    const { uid, link } = await invite();
    const visitor = new WebVisitor(household);
    const page = await visitor.get(new URL(link).pathname + new URL(link).search);
    await visitor.post('/guest/', { form_token: page.field('form_token'), id: page.field('id') });
    const gran = await signInAsGuest(household, link);
    const isSignedIn = async () => (await visitor.get('/account/')).text.includes(t('bar.signOut'));
    expect(await isSignedIn()).toBe(true);
    await household.as('olga').post('files/unshare', { path: `${HOME}/${box}`, uid });
    const back = await invite();
    expect(back.uid).toBe(uid);
    expect(await isSignedIn()).toBe(false);
    expect((await gran.get('files/browse', { path: '/ROOT/SHARED' })).status).toBe(401);
    const again = await signInAsGuest(household, back.link);
    expect((await again.get('files/browse', { path: '/ROOT/SHARED' })).status).toBe(200);
  });
});
