import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { appOf } from '../oauth/support.ts';
import { inspectPanel } from '../support/panel-page.ts';
import { type PanelVisit, visitPanel } from '../support/panel-visit.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
}, 90_000);
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const settings = () => panel.household.control('settings.get');
const complained = () => panel.complaints.filter((line) => !/status of (?:400|409)/.test(line));

it('security: how many wrong passwords lock an account, and who is locked', async () => {
  const { page, open, button, household } = panel;
  await household.control('accounts.add', { username: 'mia', name: 'Mia', password: 'correct horse battery' });
  await open('Security');
  await page.getByText('Nobody is locked out.').waitFor();
  await page.getByLabel('Wrong passwords').fill('3');
  await page.getByRole('combobox', { name: 'Trusted proxies (optional)' }).fill('not an address');
  await page.keyboard.press('Enter');
  await button('Save changes').click();
  await page.getByText(/is an IP address, or a network/).waitFor();
  expect(await settings()).toMatchObject({ wrongPasswordLimit: 5, trustedProxies: [] });
  await page.getByText('2 changes, not saved').waitFor();
  await inspectPanel(page, 'security-refused');
  await page.keyboard.press('Backspace');
  await page.getByRole('combobox', { name: 'Trusted proxies (optional)' }).press('Backspace');
  await button('Save changes').click();
  await page.getByText('not saved').waitFor({ state: 'detached' });
  expect(await settings()).toMatchObject({ wrongPasswordLimit: 3, trustedProxies: [] });

  for (let n = 0; n < 3; n += 1) await appOf(household).password({ username: 'mia', password: 'wrong' });
  await panel.fresh();
  await open('Security');
  await page.getByText('3 wrong passwords').waitFor();
  await inspectPanel(page, 'security');
  await button('Open again: Mia').click();
  await page.getByText('Nobody is locked out.').waitFor();
  expect(await household.control('accounts.get', { username: 'mia' })).toMatchObject({ activated: true });
  expect(complained()).toEqual([]);
}, 60_000);

it('mail: a server that refuses is told in its own words, one that takes it is tried', async () => {
  const { page, open, button } = panel;
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (address === 'nobody@orchard.example') return done(new Error('No such mailbox here'));
      received.push(address);
      done();
    },
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  try {
    const { port } = server.server.address() as { port: number };
    await open('Mail');
    await page.getByLabel('Server (optional)').fill('127.0.0.1');
    await page.getByRole('combobox', { name: 'Security' }).click();
    await page.getByRole('option', { name: 'None, for a server on this computer' }).click();
    // The usual port came with it.
    await expect.poll(() => page.getByLabel('Port').inputValue()).toBe('25');
    await page.getByLabel('Port').fill(String(port));
    await page.getByLabel('From', { exact: true }).fill('larder@orchard.example');
    await page.getByLabel('Password (optional)').fill('secret of the mailbox');
    await button('Save changes').click();
    await page.getByText('One is kept. Type another to replace it.').waitFor();
    await expect.poll(() => page.getByLabel('Password (optional)').inputValue()).toBe('');
    expect(await settings()).toMatchObject({ smtpHost: '127.0.0.1', smtpPort: port, smtpPasswordSet: true });
    expect(await page.content()).not.toContain('secret of the mailbox');
    await button('Forget it').click();
    await button('Save changes').click();
    await expect.poll(async () => (await settings()).smtpPasswordSet).toBe(false);

    await page.getByLabel('Send a mail to').fill('nobody@orchard.example');
    await button('Send').click();
    await page.getByText(/No such mailbox here/).waitFor();
    await inspectPanel(page, 'mail-refused');
    await page.getByLabel('Send a mail to').fill('ann@orchard.example');
    await page.keyboard.press('Enter');
    await page.getByText('A mail is on its way to ann@orchard.example.').waitFor();
    expect(received).toEqual(['ann@orchard.example']);
    expect(complained()).toEqual([]);
  } finally {
    await new Promise<void>((done) => void server.close(done));
  }
}, 60_000);

it('household: its name, and an address that is no address', async () => {
  const { page, open, button } = panel;
  await open('API', 'Settings');
  await page.getByLabel('Name of the household').fill('Orchard House');
  await page.getByLabel('Address in mails and links (optional)').fill('http://files.example');
  await button('Save changes').click();
  await page.getByText(/is an https address/).waitFor();
  await page.getByLabel('Address in mails and links (optional)').fill('https://files.example');
  await button('Save changes').click();
  await page.getByText('Orchard House').filter({ visible: true }).waitFor();
  expect(await settings()).toMatchObject({ householdName: 'Orchard House', baseUrl: 'https://files.example' });
  expect(complained()).toEqual([]);
}, 60_000);
