import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { t } from '../../../dist/server/messages/messages.js';
import { picture } from '../files/support.ts';

/** Of most photos, and of some. */
const SHAPES = [
  [900, 600],
  [800, 600],
  [600, 800],
  [900, 600],
  [960, 540],
  [600, 600],
] as const;

/** A month and how many photos it has. */
export type MonthOf = readonly [month: string, photos: number];

/**
 * Puts photos into a home, a folder per year, whose files were last changed in these months, the first of each month last.
 * @returns their names by month, as the timeline has them
 */
export async function photosByMonth(home: string, months: readonly MonthOf[]): Promise<Map<string, string[]>> {
  const pictures = await Promise.all(SHAPES.map(([width, height], index) => picture(index, width, height)));
  const names = new Map<string, string[]>();
  for (const [month, count] of months) {
    const own = Array.from({ length: count }, (_, index) => `${month} ${String(index + 1).padStart(3, '0')}.jpg`);
    names.set(month, own);
    for (const [index, name] of own.entries()) {
      const content = pictures[index % pictures.length] ?? '';
      await putAt(
        home,
        `${month.slice(0, 4)}/${name}`,
        content,
        new Date(`${month}-20T12:00:00`).getTime() - index * 60_000,
      );
    }
  }
  return names;
}

/** Puts a file into a home with a time. @param time milliseconds since 1970 */
export async function putAt(home: string, path: string, content: string | Buffer, time: number): Promise<void> {
  const at = join(home, path);
  await mkdir(dirname(at), { recursive: true });
  await writeFile(at, content);
  await utimes(at, new Date(time), new Date(time));
}

/** The timeline with the script. */
export async function timelineReady(page: Page): Promise<void> {
  await page.locator('.by-month[data-ready]').waitFor();
}

export const slider = (page: Page) => page.getByRole('slider', { name: t('photos.goTo') });

/** The heading of a month, such as `June 2027`. */
export const monthHeading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });

/** How many photos are in the document. */
export const tiles = (page: Page) => page.locator('.by-month .item').count();
