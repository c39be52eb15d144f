import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, signInAt } from '../files/support.ts';

const JARS = `Year;Fruit;Jars;Spent;What to do in another way next time
2023;Plums;14;12,80 €;half of the sugar, and twice the lemons
2024;"Apples; pears";22;31,00 €;"start earlier
ask Ben for the big pot"
2025;Quinces;9;8,45 €;<img src=x onerror="document.title = 'ran'">
`;

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await fillHome(household.home, {
    'Jars.csv': JARS,
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

  it('is shown as text if it is not a table, and shows a message if it is truncated', async () => {
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
