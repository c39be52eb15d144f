import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { edgesOf, styleOf } from '../../support/browser/geometry.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { xlsx, zip } from '../../support/content/documents.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { openBinaryOffice } from '../../workers/binary-office-support.ts';
import { fixture } from '../../workers/thumbnail-support.ts';
import { address, fillHome, signInAt } from '../files/support.ts';
import { linkTo } from '../links/links-support.ts';

const JARS = `Year;Fruit;Jars;Spent;What to do in another way next time
2023;Plums;14;12,80 €;half of the sugar, and twice the lemons
2024;"Apples; pears";22;31,00 €;"start earlier
ask Ben for the big pot"
2025;Quinces;9;8,45 €;<img src=x onerror="document.title = 'ran'">
`;

const cells = (...texts: string[]) => `<row>${texts.map((text) => `<c t="str"><v>${text}</v></c>`).join('')}</row>`;
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const YEARS = zip({
  'xl/workbook.xml':
    '<workbook><sheets><sheet name="Jars"/><sheet name="Plans"/><sheet name="Notes"/></sheets></workbook>',
  'xl/worksheets/sheet1.xml': sheet(
    `${cells('Fruit', 'Jars')}<row><c t="str"><v>Plums</v></c><c><v>14</v></c></row><row><c t="str"><v>Quinces</v></c><c><v>9</v></c></row>`,
  ),
  'xl/worksheets/sheet2.xml': sheet(cells('&lt;img src=x onerror="document.title = \'ran\'"&gt;', 'next year')),
  'xl/worksheets/sheet3.xml': sheet(''),
});

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, {
    'Jars.csv': JARS,
    'Years.xlsx': YEARS,
    'Many.xlsx': xlsx([], '<row><c><v>1</v></c></row>'.repeat(1_500)),
    'Budget.ods': await readFile(fixture('documents/table.ods')),
    'Budget.xls': openBinaryOffice().get('table.xls') ?? '',
    'Page.xls': '<table><tr><td>plum<td>jam</table>',
    'Broken.csv': 'a,b\n"open,1\n',
    'Long.csv': `Day,Words\n${'2025-01-01,A line of words\n'.repeat(2_000)}`,
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

async function at(name: string) {
  const visited = await visit(browser);
  await visited.page.goto(address(household));
  await signInAt(visited.page);
  await visited.page.locator('.files').waitFor();
  await visited.page.goto(address(household, `/files/item?path=${encodeURIComponent(`/ROOT/HOME/${name}`)}`));
  return visited;
}

describe('a CSV file', () => {
  it('is shown as a table that runs no script', async () => {
    const { page, context, complaints } = await at('Jars.csv');
    const paper = page.locator('.paper');
    await paper.getByRole('columnheader', { name: 'Fruit' }).waitFor();
    expect(await paper.getByRole('row').count()).toBe(4);
    expect(await paper.getByRole('cell', { name: 'Apples; pears' }).count()).toBe(1);
    expect(await paper.locator('td.number').allTextContents()).toEqual([
      '2023',
      '14',
      '12,80 €',
      '2024',
      '22',
      '31,00 €',
      '2025',
      '9',
      '8,45 €',
    ]);
    expect(await paper.locator('table img').count()).toBe(0);
    expect(await paper.getByText('<img src=x').count()).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull('is shown as text if it is not a table, and shows a message if it is truncated', async () => {
    const { page, context } = await at('Broken.csv');
    await expect.poll(() => page.locator('pre').textContent()).toBe('a,b\n"open,1\n');
    await page.goto(address(household, `/files/item?path=${encodeURIComponent('/ROOT/HOME/Long.csv')}`));
    await page.getByText(t('viewer.document.cut')).waitFor();
    expect(await page.getByRole('row').count()).toBe(1_000);
    await context.close();
  });

  itInFull('is accessible in every size, light and dark', async () => {
    const { page, context, complaints } = await at('Jars.csv');
    await page.locator('.paper table').waitFor();
    await inspect(page, 'viewer-table-item');
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe('a spreadsheet', () => {
  it('is shown as a table for each sheet, that runs no script', async () => {
    const { page, context, complaints } = await at('Years.xlsx');
    const paper = page.locator('.paper');
    await paper.getByText(t('viewer.sheets.cellsOnly')).waitFor();
    expect(await paper.getByRole('heading').allTextContents()).toEqual(['Jars', 'Plans', 'Notes']);
    expect(await paper.getByRole('columnheader').allTextContents()).toEqual(['Fruit', 'Jars']);
    expect(await paper.locator('td').allTextContents()).toEqual([
      'Plums',
      '14',
      'Quinces',
      '9',
      `<img src=x onerror="document.title = 'ran'">`,
      'next year',
    ]);
    await paper.getByText(t('viewer.sheets.empty')).waitFor();
    expect(await paper.locator('table img').count()).toBe(0);
    await inspect(page, 'viewer-sheets-item');
    // Not a card that its table runs out of.
    await page.setViewportSize({ width: 390, height: 844 });
    for (const one of await paper.locator('.sheet:has(table)').all()) {
      expect(await styleOf(one, 'border-top-width')).toBe('0px');
      expect((await edgesOf(one.locator('table'))).right).toBeLessThanOrEqual((await edgesOf(one)).right + 1);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull.each(['Budget.ods', 'Budget.xls'])('is shown from another format: %s', async (name) => {
    const { page, context } = await at(name);
    await page.locator('.paper').getByRole('heading', { name: 'January' }).waitFor();
    expect(await page.locator('.paper td').allTextContents()).toEqual(['Bread', '12']);
    await context.close();
  });

  itInFull('shows a message if it is truncated, and the words of a web page with its extension', async () => {
    const { page, context } = await at('Many.xlsx');
    await page.getByText(t('viewer.document.cut')).waitFor();
    expect(await page.locator('.paper').getByRole('row').count()).toBe(1_000);
    await page.goto(address(household, `/files/item?path=${encodeURIComponent('/ROOT/HOME/Page.xls')}`));
    await page.locator('.words').getByText('plum').waitFor();
    await context.close();
  });

  it('is shown to visitors of a link in a frame in which nothing can run', async () => {
    const link = await linkTo(household, '/ROOT/HOME/Years.xlsx');
    const { page, context, complaints } = await visit(browser);
    const shown = page.waitForResponse((response) => new URL(response.url()).pathname === '/wl/view');
    await page.goto(address(household, link));
    const { 'content-security-policy': policy = '' } = await (await shown).allHeaders();
    expect(policy).toMatch(/^sandbox; default-src 'none'; style-src [^;]*; base-uri 'none'/);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Plans' }).waitFor();
    expect(await frame.getByRole('cell', { name: 'Quinces' }).count()).toBe(1);
    expect(await styleOf(frame.locator('main'), 'padding-left')).toBe('32px');
    expect(await styleOf(frame.locator('.sheet').first(), 'border-top-width')).toBe('0px');
    await inspect(page, 'viewer-sheets-link');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
