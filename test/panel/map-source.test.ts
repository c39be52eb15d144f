import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { t as serverText } from '../../dist/server/messages/messages.js';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';

let panel: PanelVisit;
beforeAll(async () => {
  panel = await visitPanel();
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const settings = () => panel.household.control('settings.get');

it('says what an outside source of the map learns before one is set, and refuses one without https or attribution', async () => {
  const { page, open, button } = panel;
  const template = 'https://tiles.example/{z}/{x}/{y}.png';
  await open(t('nav.household'));
  await page.getByText(t('household.mapWarning')).waitFor();
  expect(await settings()).toMatchObject({ mapTileUrl: '', mapTileAttribution: '' });
  await page.getByLabel(t('household.mapTileUrl')).fill('http://tiles.example/{z}/{x}/{y}.png');
  await page.getByLabel(t('household.mapTileAttribution')).fill('© Orchard Mappers');
  await button(t('saveBar.save')).click();
  await page.getByText(serverText('api.settings.mapTileUrl', { z: '{z}', x: '{x}', y: '{y}' })).waitFor();
  await page.getByLabel(t('household.mapTileUrl')).fill(template);
  await page.getByLabel(t('household.mapTileAttribution')).fill('');
  await button(t('saveBar.save')).click();
  await page.getByText(serverText('api.settings.mapTileAttribution')).waitFor();
  expect(await settings()).toMatchObject({ mapTileUrl: '', mapTileAttribution: '' });
  await page.getByLabel(t('household.mapTileAttribution')).fill('© Orchard Mappers');
  await button(t('saveBar.save')).click();
  await page.getByText(like('saveBar.changes')).waitFor({ state: 'detached' });
  expect(await settings()).toMatchObject({ mapTileUrl: template, mapTileAttribution: '© Orchard Mappers' });
  await inspectPanel(page, 'map-source');
  await page.getByLabel(t('household.mapTileUrl')).fill('');
  await button(t('saveBar.save')).click();
  await page.getByText(like('saveBar.changes')).waitFor({ state: 'detached' });
  expect(await settings()).toMatchObject({ mapTileUrl: '' });
  expect(panel.complaints.filter((line) => !/status of (?:400|409)/.test(line))).toEqual([]);
});
