import type { Page } from 'playwright-core';
import { openBrowser } from '../chromium.ts';
import { writeFiles } from '../content.ts';
import { Larder, OWNER } from '../larder.ts';
import { alternate, type Work } from '../work.ts';

/** Pixels by which each frame scrolls further, faster than a finger does, and how many frames. */
const STEP = 240;
const FRAMES = 400;

/** The time from the request of a page to its first content on the screen, in milliseconds. */
const FIRST_PAINT = `new Promise((done) => new PerformanceObserver((list) => {
  const [paint] = list.getEntriesByName('first-contentful-paint');
  if (paint !== undefined) done(paint.startTime);
}).observe({ type: 'paint', buffered: true }))`;

/** Scrolls through the list, to its end and from the start again. Resolves to the longest time between two frames, in milliseconds. */
const LONGEST_FRAME = `new Promise((done) => {
  let [longest, before, frames] = [0, null, 0];
  const next = (now) => {
    if (before !== null) longest = Math.max(longest, now - before);
    before = now;
    frames += 1;
    if (frames > ${FRAMES}) return done(longest);
    const end = document.documentElement.scrollHeight - innerHeight;
    scrollTo(0, (scrollY + ${STEP}) % end);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})`;

const VIEWS = [
  { view: 'list', paint: 'pagePaint', frames: 'pageFrames' },
  { view: 'gallery', paint: 'galleryPaint', frames: 'galleryFrames' },
] as const;

/** The page of a long folder in a browser, beside that of a short one. */
export const pages: Work = {
  name: 'pages',
  targets: ['pagePaint', 'pageFrames', 'galleryPaint', 'galleryFrames'],
  async run({ scratch, sizes, runs }, report) {
    const larder = await Larder.open(scratch);
    const [long, short] = [larder.newFolder('Long'), larder.newFolder('Short')];
    writeFiles(long.real, sizes.longList, 'bin');
    writeFiles(short.real, sizes.pageRows, 'bin');
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 832 } });
      await page.goto(larder.url('/files/'));
      await page.locator('input[name=username]').fill(OWNER.username);
      await page.locator('input[name=password]').fill(OWNER.password);
      await page.keyboard.press('Enter');
      await page.locator('.files[data-ready]').waitFor();
      for (const { view, paint, frames } of VIEWS) {
        const address = (path: string) => larder.url(`/files/?path=${path}&view=${view}`);
        const yardstick = `the page of ${sizes.pageRows}`;
        const paints = await alternate(2 * runs, {
          long: () => firstPaint(page, address(long.path)),
          short: () => firstPaint(page, address(short.path)),
        });
        report(paint, { larder: paints.long, yardsticks: [{ name: yardstick, samples: paints.short }] });
        const longest = await alternate(runs, {
          long: () => longestFrame(page, address(long.path)),
          short: () => longestFrame(page, address(short.path)),
        });
        // What else the machine does lengthens frames of both.
        report(frames, { larder: longest.long, yardsticks: [{ name: yardstick, samples: longest.short }] });
      }
    } finally {
      await browser.close();
    }
    await larder.stop();
  },
};

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('.files[data-ready]').waitFor();
}

async function firstPaint(page: Page, address: string): Promise<number> {
  await open(page, address);
  return page.evaluate<number>(FIRST_PAINT);
}

async function longestFrame(page: Page, address: string): Promise<number> {
  await open(page, address);
  // The script of galleries comes after the page.
  await page.locator('.table:not(.gallery[data-rows]:not([data-ready]))').waitFor();
  return page.evaluate<number>(LONGEST_FRAME);
}
