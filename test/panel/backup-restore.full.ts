import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { make, PASSPHRASE, remove, scratchFolder } from '../backup/support.ts';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { t as text, like as textLike } from '../support/server-texts.ts';

let panel: PanelVisit;
let scratch: string;
let name: string;

beforeAll(async () => {
  [panel, scratch] = await Promise.all([visitPanel(), scratchFolder()]);
  const { household } = panel;
  await mkdir(join(household.home, 'Plans'));
  await writeFile(join(household.home, 'Plans', 'garden.txt'), 'the plan');
  ({ name } = await make(household, { files: true, passphrase: PASSPHRASE }));
});
afterAll(async () => {
  await panel?.close();
  await remove(scratch);
});

it('a backup is restored into a new folder, and input is kept if the server refuses it', async () => {
  const { page, open, pick, button, dialog, complaints } = panel;
  await open(t('nav.backup'));
  await pick(name, t('backup.list.restore'));
  await inspectPanel(page, 'backup-restore');
  await dialog()
    .getByRole('button', { name: t('backup.list.restore'), exact: true })
    .click();
  await page.getByText(t('backup.restoreHere.needsFolder')).waitFor();
  await page.getByText(t('backup.restoreHere.needsPassphrase')).waitFor();
  const folder = page.getByLabel(t('backup.restoreHere.folder'));
  const passphrase = page.getByLabel(t('backup.restoreHere.passphrase'), { exact: false });
  await folder.fill(panel.household.home);
  await passphrase.fill('six green bottles');
  await page.keyboard.press('Enter');
  await page.getByText(textLike('api.restore.inData')).waitFor();
  await expect.poll(() => folder.inputValue()).toBe(panel.household.home);
  await inspectPanel(page, 'backup-restore-refused', ['usual', 'phone']);
  const there = join(scratch, 'Larder of before');
  await folder.fill(there);
  await page.keyboard.press('Enter');
  await page.getByText(text('api.backup.passphraseWrong')).waitFor();
  await expect.poll(() => folder.inputValue()).toBe(there);
  expect(existsSync(there)).toBe(false);
  await passphrase.fill(PASSPHRASE);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: t('backup.restoreHere.done') }).waitFor();
  await page.getByText(like('backup.restoreHere.is', { count: 1, amount: '8 bytes' })).waitFor();
  await page.getByText(`larder serve --folder '${there}'`).waitFor();
  await inspectPanel(page, 'backup-restored');
  expect(await readFile(join(there, 'homes', 'ann', 'Plans', 'garden.txt'), 'utf8')).toBe('the plan');
  await dialog()
    .getByRole('button', { name: t('backup.restoreHere.close') })
    .click();
  await dialog().waitFor({ state: 'detached' });
  // The browser itself writes that something was refused.
  expect(complaints.filter((complaint) => !/status of 4\d\d/.test(complaint))).toEqual([]);
  complaints.length = 0;
  await open(t('nav.activity'));
  await page.getByText(like('activity.entry.backup.restored', { actor: 'person' })).waitFor();
  await open(t('nav.backup'));
  await button(t('backup.list.actionsOf', { name })).waitFor();
});

it('a restore shows its progress, and leaves no data after it is cancelled', async () => {
  const { page, household, open, pick, dialog } = panel;
  // So much that it takes a while.
  const many = join(household.home, 'Many');
  await mkdir(many);
  await Promise.all(
    Array.from({ length: 1_500 }, (_, n) => writeFile(join(many, `${n}.bin`), Buffer.alloc(64_000, n))),
  );
  const { name: larger } = await make(household, { files: true });
  await panel.fresh();
  await open(t('nav.backup'));
  await pick(larger, t('backup.list.restore'));
  const there = join(scratch, t('backup.check.cancelled'));
  await page.getByLabel(t('backup.restoreHere.folder')).fill(there);
  await dialog()
    .getByRole('button', { name: t('backup.list.restore'), exact: true })
    .click();
  await dialog()
    .getByText(like('backup.progress.bytes', { total: '91.6 MB' }))
    .waitFor();
  await dialog()
    .getByRole('button', { name: t('backup.restoreHere.cancel') })
    .click();
  await page.getByLabel(t('backup.restoreHere.folder')).waitFor();
  await expect.poll(() => page.getByLabel(t('backup.restoreHere.folder')).inputValue()).toBe(there);
  expect(existsSync(there)).toBe(false);
});
