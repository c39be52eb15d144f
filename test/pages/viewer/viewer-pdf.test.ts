import { randomBytes } from 'node:crypto';
import type { Browser, Frame, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, takePicture, visit } from '../../support/browser/page.ts';
import { makePdf } from '../../support/content/make-pdf.ts';
import { describeInFull, itInFull, sampled } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address, fillHome, ready, signInAt } from '../files/support.ts';

const HOME = '/ROOT/HOME';

let browser: Browser;
let household: Household;

const lines = (page: number) => [
  `Page ${page} of the contract`,
  ...Array.from({ length: 40 }, (_, line) => `${line + 1}. The tenant keeps the garden, and the shed beside it.`),
];

/** Of some megabytes: most of it is never asked for. */
const PAGES = 20;
const largePdf = () =>
  makePdf(Array.from({ length: PAGES }, (_, page) => [`Page ${page + 1}`, randomBytes(300_000).toString('hex')]));

/** A scan as scanners pack it (JBIG2, ITU-T T.88), of one region in the code of fax machines (T.6): its right half is black. */
function scannedPdf(): Buffer {
  // A first row of four white and four black dots, seven like the one above, and the end.
  const bits = `0011011011${'11'.repeat(7)}${'000000000001'.repeat(2)}`.padEnd(48, '0');
  const rows = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, '0'));
  const size = '0000000800000008';
  const page = `00000000300001${'00000013'}${size}${'00'.repeat(11)}`;
  const region = `00000001260001${(18 + rows.length).toString(16).padStart(8, '0')}${size}${'00'.repeat(9)}01`;
  const data = Buffer.from(page + region + rows.join(''), 'hex');
  const image = '/Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode';
  const drawing = 'q 600 0 0 800 0 0 cm /S Do Q';
  return Buffer.concat([
    Buffer.from(`%PDF-1.4
1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /S 5 0 R >> >> >>\nendobj
4 0 obj\n<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream\nendobj
5 0 obj\n<< /Type /XObject /Subtype /Image ${image} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'),
  ]);
}

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await fillHome(household.home, {
    'Rental contract.pdf': makePdf(Array.from({ length: 24 }, (_, page) => lines(page + 1))),
    'Large.pdf': largePdf(),
    'Locked.pdf': makePdf([lines(1)], { password: 'quince' }),
    'Scanned.pdf': scannedPdf(),
    'Damaged.pdf': randomBytes(5_000),
    'Repaired.pdf': makePdf([lines(1), lines(2)], { isBroken: true }),
    'Scripted.pdf': makePdf([lines(1)], { script: 'app.alert("hello"); app.launchURL("https://evil.example/");' }),
  });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const pathOf = (name: string) => encodeURIComponent(`${HOME}/${name}`);
const viewOf = (name: string) => `/files/view?path=${pathOf(name)}`;
const itemOf = (name: string) => `/files/item?path=${pathOf(name)}`;

async function at(path: string, options = {}) {
  const visited = await visit(browser, options);
  const requests: Request[] = [];
  visited.context.on('request', (request) => requests.push(request));
  await visited.page.goto(address(household));
  await signInAt(visited.page);
  await visited.page.locator('.files').waitFor();
  await visited.page.goto(address(household, path));
  return { ...visited, requests };
}

async function frameOf(page: Page): Promise<Frame> {
  const frame = await (await page.locator('iframe.framed').elementHandle())?.contentFrame();
  if (!frame) throw new Error('there is no frame');
  await frame.locator('html[data-ready]').waitFor();
  return frame;
}

/** How much of a drawing is dark, of 1; null for a page that is not drawn. */
function inked(frame: Frame | Page, page: number): Promise<number | null> {
  return frame.evaluate(`(() => {
    const canvas = document.querySelectorAll('.page')[${page - 1}]?.querySelector('canvas');
    if (!canvas) return null;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] < 128 && data[at + 3] > 128) dark += 1;
    return dark / (data.length / 4);
  })()`);
}

const drawn = (frame: Frame | Page) =>
  frame.evaluate(
    "[...document.querySelectorAll('.page')].flatMap((page, index) => (page.querySelector('canvas') ? [index + 1] : []))",
  ) as Promise<number[]>;

describe('a PDF on its page', () => {
  it('is rendered with a text layer, in an opaque origin', async () => {
    const { page, context, complaints, requests } = await at(itemOf('Rental contract.pdf'));
    const frame = await frameOf(page);
    await expect.poll(() => inked(frame, 1)).toBeGreaterThan(0.005);
    await frame.locator('.page').first().getByText('Page 1 of the contract').waitFor();
    expect(await frame.evaluate('window.origin')).toBe('null');
    expect(await frame.evaluate('(() => { try { return document.cookie } catch ({ name }) { return name } })()')).toBe(
      'SecurityError',
    );
    const contents = requests.filter((request) => request.url().includes('/files/content?'));
    expect(contents.length).toBeGreaterThan(0);
    const from = requests.filter((request) => request.url().includes('/assets/viewer/'));
    for (const request of [...contents, ...from]) {
      expect([request.url(), (await request.allHeaders()).cookie]).toEqual([request.url(), undefined]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull(
    'is scrolled continuously: near pages are rendered, far ones freed, and the page number is shown',
    async () => {
      const { page, context, complaints } = await at(itemOf('Rental contract.pdf'));
      const frame = await frameOf(page);
      const counter = frame.locator('.counter');
      await expect.poll(() => counter.textContent()).toBe(t('viewer.pdf.counter', { page: 1, pages: 24 }));
      await expect.poll(() => frame.locator('.page').count()).toBe(24);
      await expect.poll(() => drawn(frame)).toContain(1);
      expect(await drawn(frame)).not.toContain(8);
      await frame.evaluate("document.querySelectorAll('.page')[14].scrollIntoView()");
      await expect.poll(() => inked(frame, 15)).toBeGreaterThan(0.005);
      await expect.poll(() => counter.textContent()).toBe(t('viewer.pdf.counter', { page: 15, pages: 24 }));
      await expect.poll(() => drawn(frame)).not.toContain(1);
      // The keyboard moves it, once it is in the frame.
      const top = await frame.evaluate('scrollY');
      await page.locator('iframe.framed').focus();
      await page.keyboard.press('PageDown');
      await expect.poll(() => frame.evaluate('scrollY')).toBeGreaterThan(top as number);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  itInFull('keeps its position if something beside it changes, and is replaced by another one', async () => {
    const { page, context } = await at(itemOf('Rental contract.pdf'));
    await ready(page);
    const frame = await frameOf(page);
    await frame.evaluate('scrollTo(0, 3000)');
    await page.getByRole('link', { name: t('files.actions.star'), exact: true }).click();
    await page.getByRole('link', { name: t('files.actions.unstar') }).waitFor();
    expect(frame.isDetached()).toBe(false);
    expect(await frame.evaluate('scrollY')).toBe(3000);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Repaired.pdf' }).waitFor();
    expect(frame.isDetached()).toBe(true);
    await expect.poll(async () => inked(await frameOf(page), 2)).toBeGreaterThan(0.005);
    await context.close();
  });

  itInFull('is loaded in ranges if it is large', async () => {
    const { page, context, requests } = await at(itemOf('Large.pdf'));
    const frame = await frameOf(page);
    await expect.poll(() => inked(frame, 1)).toBeGreaterThan(0);
    const answers = requests.filter(
      (request) => request.url().includes('/files/content?') && request.method() === 'GET',
    );
    const ranges = await Promise.all(answers.map(async (request) => (await request.allHeaders()).range));
    const pieces = ranges.filter((range) => range !== undefined);
    expect(pieces.length).toBeGreaterThan(0);
    const asked = pieces.map((range) => /bytes=(\d+)-(\d+)/.exec(range)?.slice(1).map(Number) ?? []);
    const bytes = asked.reduce((sum, [start = 0, end = 0]) => sum + end - start + 1, 0);
    expect(bytes).toBeLessThan((PAGES * 600_000) / 3);
    await context.close();
  });

  itInFull('is rendered if it is a scan that needs another decoder', async () => {
    const { page, context, complaints, requests } = await at(itemOf('Scanned.pdf'));
    const frame = await frameOf(page);
    await expect.poll(() => inked(frame, 1)).toBeCloseTo(0.5, 1);
    expect(requests.some((request) => request.url().endsWith('/wasm/jbig2.wasm'))).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('runs no script of the document', async () => {
    const { page, context, complaints, requests } = await at(itemOf('Scripted.pdf'));
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    const frame = await frameOf(page);
    await expect.poll(() => inked(frame, 1)).toBeGreaterThan(0.005);
    expect([dialogs, context.pages().length]).toEqual([0, 1]);
    expect(requests.filter((request) => /evil|sandbox/.test(request.url()))).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  itInFull.each(
    sampled(
      [
        ['Locked.pdf', t('viewer.pdf.password.heading')],
        ['Damaged.pdf', t('viewer.pdf.damaged.heading')],
      ],
      1,
    ),
  )('shows a message: %s', async (name, sentence) => {
    const { page, context } = await at(itemOf(name));
    const frame = await frameOf(page);
    await frame.getByText(sentence).waitFor();
    await context.close();
  });

  itInFull('is rendered in the resolution of the screen and the width of the window', async () => {
    const { page, context } = await at(viewOf('Rental contract.pdf'), { deviceScaleFactor: 2 });
    const sizes = () =>
      page.evaluate(
        "(({ width, clientWidth }) => [width, 2 * clientWidth])(document.querySelector('canvas') ?? {})",
      ) as Promise<[number, number]>;
    for (const width of [1280, 500]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(async () => sizes().then(([dots, wanted]) => Math.abs(dots - wanted))).toBeLessThanOrEqual(2);
      expect((await sizes())[1]).toBeGreaterThan(2 * (Math.min(width, 1024) - 40));
    }
    // A phone that is turned shows the same page.
    const counter = page.locator('.counter');
    await page.evaluate("document.querySelectorAll('.page')[11].scrollIntoView()");
    await expect.poll(() => counter.textContent()).toBe(t('viewer.pdf.counter', { page: 12, pages: 24 }));
    for (const [width, height] of [
      [900, 400],
      [400, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(async () => (await inked(page, 12)) ?? 0).toBeGreaterThan(0.005);
      await expect.poll(() => counter.textContent()).toBe(t('viewer.pdf.counter', { page: 12, pages: 24 }));
    }
    await context.close();
  });

  itInFull('is replaced by a message without JavaScript', async () => {
    const { page, context } = await at(viewOf('Rental contract.pdf'), { javaScriptEnabled: false });
    const sentence = page.locator('noscript .strong');
    await sentence.waitFor();
    await expect.poll(() => sentence.textContent()).toBe(t('viewer.noScript.heading'));
    await context.close();
  });
});

describeInFull('the appearance of a PDF', () => {
  it('on its page, and in its frame', async () => {
    const { page, context, complaints } = await at(itemOf('Rental contract.pdf'));
    await frameOf(page);
    await expect.poll(async () => inked(await frameOf(page), 1)).toBeGreaterThan(0.005);
    await inspect(page, 'viewer-pdf-item');
    await page.goto(address(household, viewOf('Rental contract.pdf')));
    await expect.poll(() => inked(page, 1)).toBeGreaterThan(0.005);
    await inspect(page, 'viewer-pdf');
    await page.goto(address(household, viewOf('Locked.pdf')));
    await page.getByText(t('viewer.pdf.password.heading')).waitFor();
    await inspect(page, 'viewer-pdf-locked');
    expect(complaints).toEqual([]);
    await context.close();
    const phone = await at(itemOf('Rental contract.pdf'), {
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 3,
      isMobile: true,
      hasTouch: true,
    });
    await expect.poll(async () => inked(await frameOf(phone.page), 1)).toBeGreaterThan(0.005);
    await takePicture(phone.page, 'viewer-pdf-item-touch');
    await phone.context.close();
  });
});
