import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { setPermissions } from '../../support/households/member.ts';
import { openSharingHousehold, outcome, type SharingHousehold, signInAsGuest } from '../../support/requests/sharing.ts';
import { eventually } from '../../support/system/eventually.ts';
import { type MailServer, openMailServer, type ReceivedMail } from '../../support/system/mail-server.ts';

let household: SharingHousehold;
let server: MailServer;
const BASE = 'https://orchard.example:8443/larder';
const HOME = '/ROOT/HOME';

beforeAll(async () => {
  [household, server] = await Promise.all([openSharingHousehold(), openMailServer()]);
  await household.control('settings.update', {
    smtpHost: '127.0.0.1',
    smtpPort: server.port,
    smtpSecurity: 'none',
    mailFrom: 'larder@orchard.example',
    householdName: 'Orchard House',
    baseUrl: `${BASE}/`,
  });
  for (const username of ['olga', 'ben', 'gil', 'sam']) {
    await household.control('accounts.update', {
      username,
      name: username === 'olga' ? 'Olga <b>' : username,
      email: `${username}@orchard.example`,
      receiveNotifications: username !== 'sam',
    });
  }
});
afterAll(async () => {
  await household?.close();
  await server?.close();
});

let count = 0;
let box: string;
beforeEach(async () => {
  count += 1;
  box = `box${count}`;
  await household.put(`${box}/a.txt`);
});

const share = (form: Record<string, string | number>) =>
  household.as('olga').post('files/share', { path: `${HOME}/${box}`, ...form });
const about = (name: string): ReceivedMail[] => server.mails.filter(({ parts }) => parts['text/plain']?.includes(name));
const arrived = (name: string, number = 1) =>
  eventually(
    () => about(name),
    (mails) => mails.length >= number,
  );

describe('the notification of a share', () => {
  it('is sent to recipients who want mails, with an address of the household', async () => {
    const { shareid } = (await share({ uid: household.ids.ben })).body.data;
    const [mail] = await arrived(box);
    expect(mail?.to).toEqual(['ben@orchard.example']);
    const path = encodeURIComponent(`/ROOT/${household.ids.olga}/${shareid}`);
    expect(mail?.parts['text/plain']).toContain(t('mail.share.subject', { sharer: 'Olga <b>', name: box }));
    expect(mail?.parts['text/plain']).toContain(`${BASE}/files/?path=${path}`);
    expect(mail?.parts['text/html']).toContain(t('mail.share.subject', { sharer: 'Olga &lt;b&gt;', name: box }));
    expect(mail?.parts['text/html']).not.toContain('<b>');
    // Changed, it is no news; and somebody who does not want to be told is told nothing.
    await share({ uid: household.ids.ben, upload: 1 });
    await share({ uid: household.ids.sam });
    await share({ gid: household.family });
    const mails = await arrived(box, 2);
    expect(mails.map(({ to }) => to[0])).toEqual(['ben@orchard.example', 'gil@orchard.example']);
  });

  it('is sent for an album, too, with the address of the album, and once', async () => {
    const olga = household.as('olga');
    const { album } = (await olga.post('albums/add', { title: `Album of ${box}` })).body.data;
    for (const role of ['view', 'contribute']) await olga.post('albums/share', { album, uid: household.ids.ben, role });
    await olga.post('albums/share', { album, uid: household.ids.sam });
    await olga.post('albums/share', { album, gid: household.family });
    const mails = await arrived(`Album of ${box}`, 2);
    expect(mails.map(({ to }) => to[0])).toEqual(['ben@orchard.example', 'gil@orchard.example']);
    expect(mails[0]?.parts['text/plain']).toContain(`${BASE}/files/album?album=${album}`);
  });

  it('hides an anonymous sharer', async () => {
    const { shareid } = (await share({ uid: household.ids.ben, anonymous: 1, alias: `Found ${box}` })).body.data;
    const [mail] = await arrived(`Found ${box}`);
    expect(mail?.raw).not.toMatch(/olga/i);
    expect(mail?.parts['text/plain']).toContain(encodeURIComponent(`/ROOT/0/${shareid}`));
    expect(mail?.parts['text/plain']).not.toContain(`“${box}”`);
  });

  it('is sent as one mail per person, whatever their names', async () => {
    const name = `x${box}\r\nBcc: all@example.net\r\n\r\nGo to evil.example\u202e`;
    await mkdir(household.at(name));
    const reply = await household.as('olga').post('files/share', { path: `${HOME}/${name}`, uid: household.ids.ben });
    expect(outcome(reply)).toEqual([200, undefined]);
    const [mail] = await arrived(`x${box}`);
    expect(mail?.to).toEqual(['ben@orchard.example']);
    expect(mail?.headers).not.toMatch(/^Bcc:/im);
    expect(mail?.headers.match(/^Subject:/gim)).toHaveLength(1);
    expect(mail?.parts['text/plain']).not.toContain('\u202e');
  });
});

describe('the invitation of a guest', () => {
  it('contains the private link at the address set by the owner, whatever the Host of the request', async () => {
    const body = new URLSearchParams({ path: `${HOME}/${box}`, name: 'Gran', email: 'gran@example.net' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', host: `localhost:${household.port}` };
    const reply = await household.as('olga').send('POST', '/api.php/files/share', { headers, body });
    const { link, mailed } = reply.body.data.guest;
    expect([mailed, link.startsWith(`https://localhost:${household.port}/guest/?id=`)]).toEqual([true, true]);
    const [mail] = await arrived(box);
    const token = link.split('id=')[1];
    expect(mail?.to).toEqual(['gran@example.net']);
    expect(mail?.parts['text/plain']).toContain(`${BASE}/guest/?id=${token}`);
    expect(mail?.raw).not.toContain('localhost');
    const gran = await signInAsGuest(household, link);
    expect((await gran.get('files/browse', { path: '/ROOT/SHARED' })).status).toBe(200);
    // Written down nowhere.
    for (const file of ['larder.sqlite', 'larder.sqlite-wal']) {
      expect((await readFile(join(household.folder, '.larder', file))).includes(token)).toBe(false);
    }
    expect(household.logged()).not.toContain(token);
    // A second share is a notice like anybody's, without the link.
    await household.put(`${box}/second/`);
    const second = { path: `${HOME}/${box}/second`, name: 'Gran', email: 'gran@example.net' };
    await household.as('olga').post('files/share', second);
    const [, notice] = await eventually(
      () => server.mails.filter(({ to }) => to[0] === 'gran@example.net'),
      (mails) => mails.length === 2,
    );
    expect(notice?.raw).not.toContain('/guest/');
  });

  it('ignores addresses claimed by the request', async () => {
    const headers = {
      ...{ 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-host': 'evil.example' },
      ...{ forwarded: 'host=evil.example', 'x-forwarded-proto': 'http', origin: 'https://evil.example' },
    };
    const body = new URLSearchParams({ path: `${HOME}/${box}`, name: 'Gran', email: 'evil@example.net' }).toString();
    const reply = await household.as('olga').send('POST', '/api.php/files/share', { headers, body });
    expect(reply.body.data.guest.link).toContain(`https://127.0.0.1:${household.port}/guest/`);
    const [mail] = await arrived(box);
    expect(mail?.parts['text/plain']).toContain(`${BASE}/guest/?id=`);
    expect(mail?.raw).not.toContain('evil.example');
  });

  it('is not sent for someone who may not send links by mail', async () => {
    await setPermissions(household, { olga: { email: false } });
    try {
      const { guest } = (await share({ name: 'Gran', email: 'nomail@example.net' })).body.data;
      expect(guest).toMatchObject({ mailed: false, link: expect.stringContaining('/guest/?id=') });
    } finally {
      await setPermissions(household, { olga: {} });
    }
    expect(server.mails.filter(({ to }) => to[0] === 'nomail@example.net')).toEqual([]);
  });

  it('is optional: sharing works without a mail server and without an address of the household', async () => {
    for (const changes of [{ smtpHost: '' }, { smtpHost: '127.0.0.1', baseUrl: '' }]) {
      await household.control('settings.update', changes);
      const email = `silent${Object.keys(changes).length}@example.net`;
      const { guest } = (await share({ name: 'Gran', email })).body.data;
      expect(guest).toMatchObject({ mailed: false, link: expect.stringContaining('/guest/?id=') });
    }
    await household.control('settings.update', { baseUrl: `${BASE}/` });
  });
});
