import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectPanel } from '../support/panel-page.ts';
import { type PanelVisit, visitPanel } from '../support/panel-visit.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
}, 90_000);
afterAll(() => panel?.close());

it('many come from a CSV file in parts, and can be stopped in between', async () => {
  const { page, dialog, button, open, household } = panel;
  await open('People');
  await button('Import').click();
  // Passwords that are made slow to guess take their time.
  const people = Array.from({ length: 600 }, (_, n) => `many${n},Many ${n}`);
  const file = { name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(['username,name', ...people].join('\n')) };
  await dialog().locator('input[type=file]').setInputFiles(file);
  await dialog().getByRole('button', { name: 'Check' }).click();
  await dialog().getByRole('button', { name: 'Import 600 people' }).click();
  await dialog()
    .getByText(/^Importing, \d+ of 600$/)
    .waitFor();
  await dialog().getByRole('button', { name: 'Stop' }).click();
  await dialog()
    .getByText(/^Ended before its end: \d+ lines were not looked at/)
    .waitFor();
  const { total } = (await household.control('accounts.list', { text: 'many' })) as { total: number };
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(600);
  await dialog().getByText(`${total} added, 0 changed, 0 refused.`).waitFor();
  await inspectPanel(page, 'people-import-stopped', ['usual', 'phone']);
  await button('Done').click();
});
