import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

it('the owner sees how much is left to be hashed, pauses and resumes it', async () => {
  const { page, household, complaints } = panel;
  const pause = page.getByRole('button', { name: t('overview.hashing.pause') });
  const resume = page.getByRole('button', { name: t('overview.hashing.resume') });
  // Just written: it is read only once it has not changed for a minute.
  const now = household.clock.now() / 1_000;
  const file = join(household.home, 'new.bin');
  await writeFile(file, Buffer.alloc(3 * 1_048_576));
  await utimes(file, now, now);
  const api = await household.signIn();
  await api.get('files/browse', { path: '/ROOT/HOME' });
  await panel.fresh();
  await page.getByText(t('overview.hashing.working', { files: 1, size: '3.0 MB' })).waitFor();
  await inspectPanel(page, 'overview-hashing');
  await pause.click();
  await page.getByText(t('overview.hashing.paused', { files: 1, size: '3.0 MB' })).waitFor();
  expect((await household.control('settings.get')).hashingPaused).toBe(true);
  await inspectPanel(page, 'overview-hashing-paused');
  await resume.click();
  await pause.waitFor();
  expect((await household.control('settings.get')).hashingPaused).toBe(false);
  expect(await page.getByText(like('overview.hashing.paused')).count()).toBe(0);
  expect(complaints).toEqual([]);
});
