import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '../chromium.ts';
import { Larder, OWNER } from '../larder.ts';
import { isCompared, within } from '../settled.ts';
import { pause, type Work } from '../work.ts';

/** Half of the photos are from these months; the others are from one, like scans without a date. */
const MONTHS = 240;
const FIRST_YEAR = 2004;
const CROWDED = Date.UTC(2024, 5, 1) / 1_000;
/** Seconds within which every photo of a month is taken. */
const SPAN = 27 * 86_400;
const IN_FOLDER = 2_000;
/** Photos that the script asks for at once (`web-client/files/tiles/tile-window.ts`). */
const BLOCK = 60;
/** Milliseconds between two looks at what is read in the background. */
const CHECK_INTERVAL = 1_000;

/** The part of the timeline of photos that its script asks for wherever the scrubber stops. */
export const photoMonths: Work = {
  name: 'photo-months',
  targets: ['photoMonth'],
  async run({ scratch, sizes, runs }, report) {
    const larder = await Larder.open(scratch);
    await larder.stop();
    writeTimeline(larder.newFolder('Years').real, sizes.timeline);
    await larder.start();
    await isCompared(larder);
    await within(isRead(larder));
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 832 } });
      await page.goto(larder.url('/files/?path=/PHOTOS'));
      await page.locator('input[name=username]').fill(OWNER.username);
      await page.locator('input[name=password]').fill(OWNER.password);
      await page.keyboard.press('Enter');
      await page.locator('[data-photos]').waitFor();
      const times: number[] = [];
      const places = 20 * runs;
      for (let place = 0; place <= places; place += 1) {
        // From all over, in an order in which no two are neighbours.
        const at = Math.floor((((place * 7_919) % places) / places) * (sizes.timeline - BLOCK));
        const time = await timeOfBlock(page, at);
        // The first one compiles.
        if (place > 0) times.push(time);
      }
      report('photoMonth', { larder: times });
    } finally {
      await browser.close();
    }
    await larder.stop();
  },
};

/** Small files with the names of photos. Without a date in them, they are of the month in which they last changed. */
function writeTimeline(folder: string, count: number): void {
  for (let n = 0; n < count; n += 1) {
    const parent = join(folder, `${Math.floor(n / IN_FOLDER)}`);
    if (n % IN_FOLDER === 0) mkdirSync(parent);
    const path = join(parent, `IMG_${String(n).padStart(6, '0')}.jpg`);
    writeFileSync(path, `photo ${n}\n`);
    const month = Math.floor(n / 2) % MONTHS;
    const start = n % 2 === 0 ? CROWDED : Date.UTC(FIRST_YEAR, month, 1) / 1_000;
    const time = start + ((n * 7_919) % SPAN);
    utimesSync(path, time, time);
  }
}

async function isRead(larder: Larder): Promise<void> {
  const control = await larder.control();
  while ((await control.status()).embedded.waiting > 0) await pause(CHECK_INTERVAL);
}

/** @param at the index of the first photo @returns milliseconds until all of the block has arrived in the page */
async function timeOfBlock(page: Page, at: number): Promise<number> {
  const { time, rows } = await page.evaluate<{ time: number; rows: number }>(`(async () => {
    const address = new URL(document.querySelector('[data-photos]').dataset.photos, location.href);
    address.searchParams.set('start', ${at});
    address.searchParams.set('limit', ${BLOCK});
    const begun = performance.now();
    const { data } = await (await fetch(address, { headers: { accept: 'application/json' } })).json();
    return { time: performance.now() - begun, rows: data.rows.filter(({ html }) => html.includes('item')).length };
  })()`);
  if (rows !== BLOCK) throw new Error(`${rows} photos at ${at} instead of ${BLOCK}`);
  return time;
}
