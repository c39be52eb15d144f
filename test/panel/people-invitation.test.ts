import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { itInFull } from '../support/forms.ts';

const OTHERS = 'https://192.168.1.20:8443';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
  // Tests listen on loopback only: the address of a home network is added to what the server says.
  await panel.page.route('**/control/status', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replace(/"addresses":\[("[^"]*")/, `"addresses":[$1,"${OTHERS}"`) });
  });
  await panel.household.control('settings.update', { householdName: 'Orchard House' });
});
afterAll(() => panel?.close());

const nameField = () => panel.dialog().getByLabel(t('people.add.name'), { exact: true });
const usernameField = () => panel.dialog().getByLabel(t('people.add.username'));

const clipboard = () => panel.page.evaluate('navigator.clipboard.readText()');

async function copied(word: string): Promise<unknown> {
  await panel.dialog().getByRole('button', { name: word }).click();
  await panel
    .dialog()
    .getByRole('button', { name: t('common.copied') })
    .first()
    .waitFor();
  return clipboard();
}

async function add(name: string, username: string): Promise<void> {
  const { open, button, dialog } = panel;
  await open(t('nav.people'));
  await button(t('people.list.add')).click();
  await nameField().fill(name);
  await expect.poll(() => usernameField().inputValue()).toBe(username);
  await dialog()
    .getByRole('button', { name: t('people.add.submit') })
    .click();
  await dialog()
    .getByRole('heading', { name: t('people.add.addedTitle', { name }) })
    .waitFor();
}

itInFull('a username is proposed from the name, and the invitation is copied as one text', async () => {
  const { page, dialog, button, complaints } = panel;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await add('Ünal Öztürk', 'unal');
  await inspectPanel(page, 'people-invitation');
  const password = await dialog().locator('code').last().innerText();
  await dialog()
    .getByRole('button', { name: t('people.add.copyInvitation') })
    .click();
  await dialog()
    .getByRole('button', { name: t('common.copied') })
    .first()
    .waitFor();
  const address = OTHERS;
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    t('people.add.invitation', {
      ...{ name: 'Ünal Öztürk', household: 'Orchard House', username: 'unal', password },
      ...{ address, trust: `${address}/trust` },
    }),
  );
  await button(t('people.add.done')).click();
  await add('Unal', 'unal2');
  await button(t('people.add.done')).click();
  await add('Łukasz', 'lukasz');
  await button(t('people.add.done')).click();
  await button(t('people.list.add')).click();
  await nameField().fill('Мария');
  await expect.poll(() => usernameField().inputValue()).toBe('мария');
  // What is typed is kept, whatever the name becomes.
  await usernameField().fill('own');
  await nameField().fill('Groß');
  await expect.poll(() => usernameField().inputValue()).toBe('own');
  expect(complaints).toEqual([]);
});

it('the invitation is there for a typed password, and a reset says that it is one', async () => {
  const { page, open, dialog, button } = panel;
  await panel.fresh();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(t('nav.people'));
  await button(t('people.list.add')).click();
  await nameField().fill('Theo');
  await dialog().getByText(t('people.add.ways.type'), { exact: true }).click();
  await dialog().locator('input[autocomplete=new-password]').fill('long typed words');
  await dialog()
    .getByRole('button', { name: t('people.add.submit') })
    .click();
  const address = OTHERS;
  const values = { name: 'Theo', household: 'Orchard House', username: 'theo', address };
  expect(await copied(t('people.add.copyInvitation'))).toBe(
    t('people.add.invitation', { ...values, password: 'long typed words', trust: `${address}/trust` }),
  );
  await button(t('people.add.done')).click();
  await panel.pick('Theo', t('people.list.newPassword'));
  await dialog()
    .getByRole('button', { name: t('people.password.set') })
    .click();
  await dialog()
    .getByRole('heading', { name: t('people.password.made', { name: 'Theo' }) })
    .waitFor();
  const password = await dialog().locator('code').last().innerText();
  expect(await copied(t('people.password.copyMessage'))).toBe(t('people.password.message', { ...values, password }));
  expect(await dialog().getByText('/trust').count()).toBe(0);
  await inspectPanel(page, 'people-password-reset');
  await button(t('people.add.done')).click();
});

it('no address is passed on that leads every device to itself', async () => {
  const before = panel;
  panel = await visitPanel();
  try {
    await add('Theo', 'theo');
    await panel.dialog().getByText(t('people.add.noAddress')).waitFor();
    expect(await panel.dialog().getByText('localhost').count()).toBe(0);
    expect(
      await panel
        .dialog()
        .getByRole('button', { name: t('people.add.copyInvitation') })
        .count(),
    ).toBe(0);
    await inspectPanel(panel.page, 'people-invitation-alone');
  } finally {
    await panel.close();
    panel = before;
  }
});

itInFull('a password is shown on request without moving the caret, and hidden again when it is submitted', async () => {
  const { page, open, dialog, button } = panel;
  await panel.fresh();
  await open(t('nav.people'));
  await button(t('people.list.add')).click();
  await dialog().getByText(t('people.add.ways.type'), { exact: true }).click();
  const password = dialog().locator('input[autocomplete=new-password]');
  const eye = dialog().getByRole('button', { name: t('common.showTyped') });
  await password.pressSequentially('long words');
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
  await eye.click();
  await expect.poll(() => password.getAttribute('type')).toBe('text');
  expect(await eye.getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => password.evaluate((input) => (input as { selectionStart?: number }).selectionStart)).toBe(5);
  await page.keyboard.type('er');
  await expect.poll(() => password.inputValue()).toBe('long erwords');
  await inspectPanel(page, 'people-password-shown');
  // The name is missing, so it is sent in vain.
  await dialog()
    .getByRole('button', { name: t('people.add.submit') })
    .click();
  await dialog().getByText(t('people.add.needed.name')).waitFor();
  await expect.poll(() => password.getAttribute('type')).toBe('password');
  expect(await eye.getAttribute('aria-pressed')).toBe('false');
});
