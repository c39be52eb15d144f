// What all journeys share: the devices, and the pictures of their steps.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe, sidewaysScroll, type Visit, visit } from '../support/browser/page.ts';
import type { Household } from '../support/households/household.ts';
import { address, ready, signInAt } from './files/support.ts';

export const DEVICES = {
  desktop: { viewport: { width: 1280, height: 832 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
} as const satisfies Record<string, BrowserContextOptions>;

export type Device = keyof typeof DEVICES;
export const EACH_DEVICE = Object.keys(DEVICES) as Device[];

/** Takes the picture of a step, if pictures are wanted, and checks the page. */
export function recorder(journey: string, device: Device) {
  let step = 0;
  const folder = process.env.LARDER_PICTURES;
  return async (page: Page) => {
    step += 1;
    // Not `waitForFunction`, which evaluates text in the page: its policy forbids that.
    await expect
      .poll(() =>
        page.evaluate<boolean>(
          '[...document.images].every((image) => !image.checkVisibility() || image.loading === "lazy" || image.complete)',
        ),
      )
      .toBe(true);
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `journey-${journey}-${device}-${step}.png`), animations: 'disabled' });
    }
    expect([journey, step, await axe(page)]).toEqual([journey, step, []]);
    expect([journey, step, await sidewaysScroll(page)]).toEqual([journey, step, 0]);
  };
}

/** The owner opens a page of the files and signs in. */
export async function enterAs(browser: Browser, household: Household, path: string, device: Device): Promise<Visit> {
  const visited = await visit(browser, DEVICES[device]);
  await visited.page.goto(address(household, path));
  await signInAt(visited.page);
  await ready(visited.page);
  return visited;
}

export const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
