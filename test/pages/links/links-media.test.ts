import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect, visit } from '../../support/browser/page.ts';
import { docx } from '../../support/content/documents.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { address } from '../files/support.ts';
import { linkTo } from './links-support.ts';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await writeFile(join(household.home, 'Song.wav'), sound(120));
  await writeFile(join(household.home, 'Film.webm'), await film());
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** Two minutes of a tone: RIFF WAVE, 44.1 kHz, stereo, 16 bits. */
function sound(seconds: number): Buffer {
  const samples = 44_100 * seconds;
  const data = Buffer.alloc(samples * 4);
  for (let sample = 0; sample < samples; sample += 1) {
    const value = Math.round(Math.sin(sample / 16) * 8_000);
    data.writeInt16LE(value, sample * 4);
    data.writeInt16LE(value, sample * 4 + 2);
  }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(44_100, 24);
  head.writeUInt32LE(44_100 * 4, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** A film that the browser itself makes. */
async function film(): Promise<Buffer> {
  const page = await browser.newPage();
  const bytes = await page.evaluate<number[]>(`(async () => {
    const canvas = document.createElement('canvas');
    const pen = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
    const pieces = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    const stopped = new Promise((resolve) => { recorder.onstop = resolve; });
    recorder.start();
    for (let frame = 0; frame < 40; frame += 1) {
      pen.fillStyle = 'hsl(' + frame * 9 + ' 60% 50%)';
      pen.fillRect(0, 0, 300, 150);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await stopped;
    return [...new Uint8Array(await new Blob(pieces).arrayBuffer())];
  })()`);
  await page.close();
  return Buffer.from(bytes);
}

async function framed(page: Page, path: string): Promise<Frame> {
  await page.goto(address(household, await linkTo(household, path)));
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
  if (frame === null || frame === undefined) throw new Error('nothing is shown');
  return frame;
}

it('a link plays music from any position, by range requests', async () => {
  const { page, context, complaints } = await visit(browser);
  const ranges: string[] = [];
  page.on('response', async (response) => {
    if (response.status() === 206) ranges.push((await response.allHeaders())['content-range'] ?? '');
  });
  const frame = await framed(page, '/ROOT/HOME/Song.wav');
  await expect.poll(() => frame.evaluate("document.querySelector('audio').readyState >= 1")).toBe(true);
  expect(await frame.evaluate("Math.round(document.querySelector('audio').duration)")).toBe(120);
  await frame.evaluate(`new Promise((resolve, reject) => {
    const audio = document.querySelector('audio');
    audio.onseeked = resolve;
    audio.onerror = () => reject(new Error(audio.error.message));
    audio.currentTime = 110;
  })`);
  await expect.poll(() => frame.evaluate("document.querySelector('audio').readyState >= 2")).toBe(true);
  // Far behind what was read at first.
  expect(ranges.some((range) => Number(/^bytes (\d+)-/.exec(range)?.[1]) > 10_000_000)).toBe(true);
  await inspect(page, 'link-audio');
  expect(complaints).toEqual([]);
  await context.close();
});

it('a link shows the text of a document, alone and in a folder, unless it may only be downloaded', async () => {
  const paragraphs = (...texts: string[]) => texts.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  await mkdir(join(household.home, 'Letters'));
  await writeFile(
    join(household.home, 'Letters/Plan.docx'),
    docx(paragraphs('Dig the &lt;b&gt;pond&lt;/b&gt;', 'Plant reeds')),
  );
  const { page, context, complaints } = await visit(browser);
  const frame = await framed(page, '/ROOT/HOME/Letters/Plan.docx');
  expect(await frame.locator('.words').innerText()).toMatch(/^Dig the <b>pond<\/b>\n+Plant reeds$/);
  await frame.getByText(t('viewer.document.textOnly')).waitFor();
  await inspect(page, 'link-document');
  await page.goto(`${address(household, await linkTo(household, '/ROOT/HOME/Letters'))}&path=/Plan.docx`);
  await page.frameLocator('iframe').getByText('Plant reeds').waitFor();
  // A link that counts downloads shows nothing.
  await copyFile(join(household.home, 'Letters/Plan.docx'), join(household.home, 'Counted.docx'));
  const counted = await linkTo(household, '/ROOT/HOME/Counted.docx', { download_limit: 1 });
  await page.goto(address(household, counted));
  await page.getByText(t('links.file.counted.heading')).waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('a link shows a film, and requests none of its content before', async () => {
  const { page, context, complaints } = await visit(browser);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(address(household, await linkTo(household, '/ROOT/HOME/Film.webm')));
  await page.locator('video.film').waitFor();
  expect(asked).not.toContain('/wl/play');
  await page.evaluate("document.querySelector('video').play()");
  await expect.poll(() => page.evaluate("document.querySelector('video').currentTime > 0.3")).toBe(true);
  expect(
    asked
      .filter((path) => path.startsWith('/wl/'))
      .sort()
      .slice(-2),
  ).toEqual(['/wl/content', '/wl/play']);
  await page.evaluate("document.querySelector('video').pause()");
  await inspect(page, 'link-film');
  expect(complaints).toEqual([]);
  await context.close();
});
