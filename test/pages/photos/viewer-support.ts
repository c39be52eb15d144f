import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { bidiIsolate } from '../../../dist/server/lib/text/bidi-isolate.js';

/** The open viewer, of an item if a name is given. */
export function viewer(page: Page, name?: string): Locator {
  return name === undefined
    ? page.locator('dialog.photo-viewer')
    : page.getByRole('dialog', { name: bidiIsolate(name), exact: true });
}

/** Waits until the preview of the shown photo is there, in place of the small one. */
export async function isWhole(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.photo-box img').count()).toBe(1);
  await expect
    .poll(() =>
      page.evaluate(
        "document.querySelector('.whole-photo').naturalWidth > 0 && document.querySelector('.whole-photo').complete",
      ),
    )
    .toBe(true);
}

/** Whether nothing of the shown photo is outside of the window. */
export function fitsWindow(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const { left, top, right, bottom } = document.querySelector('.whole-photo').getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  })()`);
}

export const pathIn = (address: string): string => new URL(address).searchParams.get('path') ?? '';

export interface Asked {
  readonly pathname: string;
  /** Of the file. */
  readonly name: string;
  readonly width: number | null;
}

/** All requests of the page from now on. */
export function requestsOf(page: Page): Asked[] {
  const asked: Asked[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const width = searchParams.get('width');
    const name = searchParams.get('path')?.split('/').at(-1) ?? '';
    asked.push({ pathname, name, width: width === null ? null : Number(width) });
  });
  return asked;
}

/** Whether a problem of a page is another one than that a photo was deleted while its preview was on the way. */
export function isOtherProblem(problem: string): boolean {
  return !(problem.startsWith('Failed to load resource') && problem.includes('/files/thumbnail?'));
}
