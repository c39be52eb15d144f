import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, HOUR } from '../../dist/server/lib/clock.js';
import { t } from '../../dist/server/messages/messages.js';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { MEMBER, signInAs } from '../support/households/member.ts';
import { type MailServer, openMailServer } from '../support/system/mail-server.ts';

let household: Household;
let server: MailServer;
const BASE = 'https://orchard.example:8443';

beforeAll(async () => {
  [household, server] = await Promise.all([openHousehold(), openMailServer()]);
  await household.control('settings.update', {
    ...{ smtpHost: '127.0.0.1', smtpPort: server.port, smtpSecurity: 'none', mailFrom: 'larder@orchard.example' },
    ...{ householdName: 'Orchard House', baseUrl: BASE },
  });
  for (const username of ['mia', 'tom']) {
    // Nobody here wants notices about files.
    const account = { username, name: username, email: `${username}@orchard.example`, receiveNotifications: false };
    await household.control('accounts.add', { ...account, password: MEMBER.password, createHomeFolder: true });
  }
});
afterAll(async () => {
  await household?.close();
  await server?.close();
});

const add = async (username: string, label: string) =>
  (await (await signInAs(household, username)).post('account/app-passwords/add', { label })).status;
const mailsTo = (username: string) => server.mails.filter(({ to }) => to[0]?.startsWith(username));
const textOf = (mail: { parts: Record<string, string> } | undefined) => mail?.parts['text/plain'] ?? '';

async function signedIn(username: string): Promise<WebVisitor> {
  const visitor = new WebVisitor(household);
  const page = await visitor.get('/account/');
  const form = { form_token: page.field('form_token'), next: page.field('next') };
  await visitor.post('/account/sign-in', { ...form, username, password: MEMBER.password });
  return visitor;
}

it('informs the person by mail which app created one, regardless of notification settings', async () => {
  expect(await add('mia', 'Study “PC”')).toBe(200);
  const mail = await server.received(1);
  expect(mail.to).toEqual(['mia@orchard.example']);
  const made = { name: 'mia', app: 'Tests', label: 'Study ’PC’', household: 'Orchard House' };
  const text = textOf(mail).replaceAll(/\s+/g, ' ');
  expect(text).toContain(t('mail.appPassword.made', made));
  expect(text).toContain(`${BASE}/account/programs#app-passwords`);
});

it('sends nothing about one that was not created, or that the person created', async () => {
  const before = server.mails.length;
  expect(await add('mia', '')).toBe(400);
  const visitor = await signedIn('mia');
  const page = await visitor.get('/account/programs');
  const form = { form_token: page.field('form_token'), program: 'kodi', label: 'Living room' };
  const made = await visitor.post('/account/programs/create', { ...form, password: MEMBER.password });
  expect(made.text).toContain(t('programs.made.once'));
  // Mails are sent in the order in which they were queued.
  await add('tom', 'Laptop');
  expect((await server.received(before + 1)).to).toEqual(['tom@orchard.example']);
  expect(server.mails).toHaveLength(before + 1);
});

it('shows it on the account page for two weeks', async () => {
  const line = t('account.programs.made', { app: 'Tests', label: 'Laptop', when: '' }).replace(/ \.$/, '');
  const page = async () => (await (await signedIn('tom')).get('/account/')).text;
  expect(await page()).toContain(line);
  expect(await page()).not.toContain('Study');
  household.clock.advance(14 * DAY);
  const later = await page();
  expect(later).toContain(t('account.programs.heading'));
  expect(later).not.toContain(line);
});

it('sends at most 10 mails an hour', async () => {
  const before = mailsTo('tom').length;
  const api = await signInAs(household, 'tom');
  for (let nth = 0; nth < 12; nth += 1) await api.post('account/app-passwords/add', { label: `Number ${nth}.` });
  household.clock.advance(HOUR);
  await add('tom', 'The last one.');
  await expect.poll(() => textOf(mailsTo('tom').at(-1))).toContain('The last one.');
  const labels = mailsTo('tom')
    .slice(before)
    .map((mail) => /“(Number \d+|The last one)\.”/.exec(textOf(mail).replaceAll(/\s+/g, ' '))?.[1]);
  expect(labels).toEqual([...Array.from({ length: 10 }, (_, nth) => `Number ${nth}`), 'The last one']);
});
