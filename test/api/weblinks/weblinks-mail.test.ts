import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { type LinkHousehold, openLinkHousehold } from '../../support/requests/links.ts';
import { eventually } from '../../support/system/eventually.ts';
import { type MailServer, openMailServer } from '../../support/system/mail-server.ts';

let household: LinkHousehold;
let server: MailServer;

beforeAll(async () => {
  [household, server] = await Promise.all([openLinkHousehold(), openMailServer()]);
  await household.control('settings.update', {
    ...{ smtpHost: '127.0.0.1', smtpPort: server.port, smtpSecurity: 'none', mailFrom: 'larder@orchard.example' },
    ...{ householdName: 'Orchard House', baseUrl: 'https://orchard.example:8443/larder' },
  });
  await household.control('accounts.update', { username: 'olga', email: 'olga@orchard.example' });
});
afterAll(async () => {
  await household?.close();
  await server?.close();
});

async function send(visitor: WebVisitor, id: string, name: string, sender: string): Promise<void> {
  const page = await visitor.get(`/wl/?id=${id}`);
  const token = /data-token="([^"]*)"/.exec(page.text)?.[1] ?? page.field('form_token');
  const query = new URLSearchParams({ id, name, sender, key: `key-${name}-12345678`.replace(/\W/g, '-') });
  const reply = await visitor.put(`/wl/upload?${query}`, `content of ${name}`, { 'x-form-token': token });
  expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"success":true')]);
}

it('notifies the maker of a link in one mail, only if wanted', async () => {
  const box = await household.newBox();
  const path = `/ROOT/HOME/${box}`;
  const id = await household.link(path, { notify: 1, allow_downloads: 1, show_comments: 1 });
  const quiet = await household.link(`${path}/a.txt`);
  const visitor = new WebVisitor(household);
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await send(visitor, id, name, 'Mia\r\nBcc: x@evil.example');
  await household.visit(id, { fmode: 'download', path: '/a.txt' });
  await household.visit(quiet, { fmode: 'download' });
  await household.larder.maintenance();
  expect(server.mails).toHaveLength(0);
  household.clock.advance(3 * MINUTE);
  await household.larder.maintenance();
  const [mail] = await eventually(
    () => server.mails,
    (mails) => mails.length > 0,
  );
  expect(mail?.to).toEqual(['olga@orchard.example']);
  const text = mail?.parts['text/plain'] ?? '';
  expect(text).toContain(t('mail.weblink.news.sent', { visitor: 'Mia Bcc: x@evil.example', times: 3 }));
  expect(text).toContain(t('mail.weblink.newsAnonymous.downloaded', { times: 1 }));
  expect(text).toContain('https://orchard.example:8443/larder/files/?path=/LINKS');
  expect(text).not.toContain(id);
  household.clock.advance(20 * MINUTE);
  await household.larder.maintenance();
  expect(server.mails).toHaveLength(1);
});

it('names a limited number of visitors, and their names cannot imitate others', async () => {
  const box = await household.newBox();
  const id = await household.link(`/ROOT/HOME/${box}`, { notify: 1, allow_uploads: 1 });
  const visitor = new WebVisitor(household);
  await send(visitor, id, 'a.txt', 'Ben” sent 9 files. “Eve');
  for (let number = 0; number < 60; number += 1) await send(visitor, id, `${number}.txt`, `Visitor ${number}`);
  await send(visitor, id, 'again.txt', 'Visitor 3');
  const before = server.mails.length;
  household.clock.advance(3 * MINUTE);
  await household.larder.maintenance();
  const mail = (
    await eventually(
      () => server.mails,
      (mails) => mails.length > before,
    )
  ).at(-1);
  const text = mail?.parts['text/plain'] ?? '';
  expect(text).toContain(t('mail.weblink.news.sent', { visitor: 'Ben’ sent 9 files. ’Eve', times: 1 }));
  expect(text).toContain(t('mail.weblink.news.sent', { visitor: 'Visitor 3', times: 2 }));
  expect(text).toContain(t('mail.weblink.newsAnonymous.sent', { times: 11 }));
  expect(text.match(/Visitor \d+/g)).toHaveLength(49);
});

it('names a visitor whose name is known, for one download and for several files', async () => {
  const box = await household.newBox();
  const id = await household.link(`/ROOT/HOME/${box}`, { notify: 1, allow_downloads: 1, show_comments: 1 });
  const visitor = new WebVisitor(household);
  await send(visitor, id, 'one.txt', 'Kim');
  const before = server.mails.length;
  const pressed = await visitor.post(`/wl/get?id=${id}`, { path: '/a.txt' });
  expect((await visitor.get(pressed.location ?? '')).text).toContain('content of');
  const several = await visitor.post(`/wl/get?id=${id}`, { 'path[0]': '/a.txt', 'path[1]': '/sub' });
  expect(several.headers['content-type']).toBe('application/zip');
  household.clock.advance(20 * MINUTE);
  await household.larder.maintenance();
  const mails = await eventually(
    () => server.mails.slice(before),
    (sent) => sent.length > 0,
  );
  const text = mails[0]?.parts['text/plain'] ?? '';
  expect(text).toContain(t('mail.weblink.news.downloaded', { visitor: 'Kim', times: 2 }));
});
