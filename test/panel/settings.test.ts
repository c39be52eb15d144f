import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { appOf } from '../oauth/support.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { like as serverText } from '../support/server-texts.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const settings = () => panel.household.control('settings.get');
const complained = () => panel.complaints.filter((line) => !/status of (?:400|409)/.test(line));

it('security: the number of wrong passwords that lock an account is set, and locked accounts are shown', async () => {
  const { page, open, button, household } = panel;
  await household.control('accounts.add', { username: 'mia', name: 'Mia', password: 'correct horse battery' });
  await open(t('nav.security'));
  await page.getByText(t('security.locked.none')).waitFor();
  await page.getByLabel(t('security.passwords.limit')).fill('3');
  await page.getByRole('combobox', { name: t('security.proxies.list') }).fill('not an address');
  await page.keyboard.press('Enter');
  await button(t('saveBar.save')).click();
  await page.getByText(serverText('api.settings.network')).waitFor();
  expect(await settings()).toMatchObject({ wrongPasswordLimit: 5, trustedProxies: [] });
  await page.getByText(t('saveBar.changes', { count: 2 })).waitFor();
  await inspectPanel(page, 'security-refused');
  await page.keyboard.press('Backspace');
  await page.getByRole('combobox', { name: t('security.proxies.list') }).press('Backspace');
  await button(t('saveBar.save')).click();
  await page.getByText(like('saveBar.changes')).waitFor({ state: 'detached' });
  expect(await settings()).toMatchObject({ wrongPasswordLimit: 3, trustedProxies: [] });

  for (let n = 0; n < 3; n += 1) await appOf(household).password({ username: 'mia', password: 'wrong' });
  await panel.fresh();
  await open(t('nav.security'));
  await page.getByText(t('people.list.wrongPasswords', { count: 3 })).waitFor();
  await inspectPanel(page, 'security');
  await button(t('security.locked.openOf', { name: 'Mia' })).click();
  await page.getByText(t('security.locked.none')).waitFor();
  expect(await household.control('accounts.get', { username: 'mia' })).toMatchObject({ activated: true });
  expect(complained()).toEqual([]);
});

it('mail: the error of a refusing server is shown, and a test mail is sent', async () => {
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
    await open(t('nav.mail'));
    await page.getByLabel(t('mail.server.host')).fill('127.0.0.1');
    await page.getByRole('combobox', { name: t('mail.server.security') }).click();
    await page.getByRole('option', { name: t('mail.server.securities.none') }).click();
    // The usual port came with it.
    await expect.poll(() => page.getByLabel(t('mail.server.port')).inputValue()).toBe('25');
    await page.getByLabel(t('mail.server.port')).fill(String(port));
    await page.getByLabel(t('mail.server.from'), { exact: true }).fill('larder@orchard.example');
    await page.getByLabel(t('mail.server.password')).fill('secret of the mailbox');
    await button(t('saveBar.save')).click();
    await page.getByText(t('mail.server.passwordKept')).waitFor();
    await expect.poll(() => page.getByLabel(t('mail.server.password')).inputValue()).toBe('');
    expect(await settings()).toMatchObject({ smtpHost: '127.0.0.1', smtpPort: port, smtpPasswordSet: true });
    expect(await page.content()).not.toContain('secret of the mailbox');
    await button(t('mail.server.forget')).click();
    await button(t('saveBar.save')).click();
    await expect.poll(async () => (await settings()).smtpPasswordSet).toBe(false);

    await page.getByLabel(t('mail.test.to')).fill('nobody@orchard.example');
    await button(t('mail.test.do')).click();
    await page.getByText(/No such mailbox here/).waitFor();
    await inspectPanel(page, 'mail-refused');
    await page.getByLabel(t('mail.test.to')).fill('ann@orchard.example');
    await page.keyboard.press('Enter');
    await page.getByText(t('mail.test.sent', { to: 'ann@orchard.example' })).waitFor();
    expect(received).toEqual(['ann@orchard.example']);
    expect(complained()).toEqual([]);
  } finally {
    await new Promise<void>((done) => void server.close(done));
  }
});

it('household: its name and address are set and validated, and the way to add a device is shown', async () => {
  const { page, open, button, household } = panel;
  await open(t('nav.household'));
  await page.getByText(t('household.outside.none')).waitFor();
  await inspectPanel(page, 'household');
  await page.getByLabel(t('household.name')).fill('Orchard House');
  await page.getByLabel(t('household.address')).fill('http://files.example');
  await button(t('saveBar.save')).click();
  await page.getByText(serverText('api.settings.baseUrl')).waitFor();
  // A port at which nothing listens.
  await page.getByLabel(t('household.address')).fill('https://127.0.0.1:9');
  await page.getByText(t('household.outside.unreachable')).waitFor();
  await page.getByLabel(t('household.address')).fill(`https://127.0.0.1:${household.port}`);
  await page.getByText(t('household.outside.warned')).waitFor();
  await button(t('saveBar.save')).click();
  await page.getByText('Orchard House').filter({ visible: true }).waitFor();
  const baseUrl = `https://127.0.0.1:${household.port}`;
  expect(await settings()).toMatchObject({ householdName: 'Orchard House', baseUrl, baseUrlConfirmed: false });
  await inspectPanel(page, 'household-warned');
  await button(t('household.outside.confirm')).click();
  await page.getByText(t('household.outside.confirmed')).waitFor();
  expect(await settings()).toMatchObject({ baseUrl, baseUrlConfirmed: true });
  expect(complained()).toEqual([]);
});
