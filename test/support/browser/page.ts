import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isFullForm } from '../forms.ts';
import { addOpenPage } from './open-pages.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The folder for screenshots; none are stored unless it is set. */
const pictures = process.env.LARDER_PICTURES;

/** All sizes in light and dark, which takes long. */
const isLooking = pictures !== undefined || process.env.LARDER_LOOKS === 'all';

const SIZES = {
  desktop: { width: 1280, height: 832 },
  phone: { width: 390, height: 844 },
} as const;

/**
 * The screen sizes and colour schemes to check, one after the other: light in the first size, in the full form also dark in the last,
 * and all combinations with `LARDER_LOOKS=all`.
 */
export function* looksAt<Size>(
  sizes: readonly Size[],
): Generator<readonly [size: Size, colorScheme: 'light' | 'dark']> {
  for (const [at, size] of sizes.entries()) {
    if (isLooking || at === 0) yield [size, 'light'];
    if (isLooking || (isFullForm && at === sizes.length - 1)) yield [size, 'dark'];
  }
}

/** What Chromium says on a slow machine only: about late fonts, and files that were used later than it thought. */
const ABOUT_SPEED = /^\[Intervention\] Slow network|was preloaded using link preload but not used/;

/** What Playwright says where it lets no worker be registered (`launchBrowser`). */
const ABOUT_WORKERS = 'Service Worker registration blocked by Playwright';

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Problems of the page so far: errors, violations of the content security policy, requests to other hosts. */
  readonly complaints: string[];
}

/** A new visitor that records all problems of a page. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: SIZES.desktop, ...options });
  // Only what never comes about reaches it.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  addOpenPage(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (ABOUT_SPEED.test(message.text()) || message.text() === ABOUT_WORKERS) return;
    // The name of a resource that failed to load is only in the location.
    const { url } = message.location();
    complaints.push(message.text().startsWith('Failed to load') ? `${message.text()} ${url}` : message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!/^(?:https?:\/\/(?:127\.0\.0\.1|localhost)[:/]|blob:)/.test(request.url()))
      complaints.push(`asked ${request.url()}`);
  });
  return { context, page, complaints };
}

/** Light and dark, desktop and phone: takes a screenshot of each and checks for problems. */
export async function inspect(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  try {
    for (const [size, colorScheme] of looksAt(['desktop', 'phone'] as const)) {
      await page.setViewportSize(SIZES[size]);
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `${name}-${size}-${colorScheme}`);
      expect(await sidewaysScroll(page), `${name} ${size} scrolls sideways`).toBe(0);
      expect(await axe(page), `${name} ${size} ${colorScheme}`).toEqual([]);
    }
    await page.setViewportSize(SIZES.phone);
    expect(await smallTargets(page), `${name}: targets below 44`).toEqual([]);
    // A desktop at 200 %, and the narrowest window that has to work without sideways scrolling (WCAG 1.4.10).
    for (const width of [640, 320]) {
      await page.setViewportSize({ width, height: 416 });
      expect(await sidewaysScroll(page), `${name} scrolls sideways at ${width}`).toBe(0);
    }
  } finally {
    // Other tests go on with the page, also after a finding.
    await page.setViewportSize(SIZES.desktop);
    await page.emulateMedia({ colorScheme: 'light' });
  }
}

/** The addresses of the images in the window that are not there yet. */
const MISSING_IMAGES = `[...document.images].filter((image) => {
  const { top, bottom } = image.getBoundingClientRect();
  return !image.complete && image.checkVisibility() && top < innerHeight && bottom > 0;
}).map(({ currentSrc }) => currentSrc)`;

export async function takePicture(page: Page, name: string): Promise<void> {
  // A change of colour scheme loads other images and begins transitions: allows two frames to begin, and goes to their end.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  // Images below the window are loaded when they come near it.
  await expect.poll(() => page.evaluate<string[]>(MISSING_IMAGES), { message: `${name}: images` }).toEqual([]);
  await page.evaluate(
    `for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();`,
  );
  if (pictures === undefined) return;
  await page.evaluate('Promise.all([...document.images].map((image) => image.checkVisibility() && image.decode()))');
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, animations: 'disabled' });
}

export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Separate buttons, fields and links less than 44 high; a box counts with its label. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('button, input:not([type=checkbox], [type=radio], .unseen), select, summary, a.button, .check label, .level')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
    .map((element) => element.outerHTML.slice(0, 80))`);
}

/** The findings of axe-core, one per line. The script bypasses the page's policy, like a browser's own tools. */
export async function axe(page: Page): Promise<string[]> {
  if (await page.evaluate('!("axe" in globalThis)')) await page.evaluate(AXE);
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);
}
