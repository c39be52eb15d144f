import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { DefaultHttpStack, Upload, type UploadOptions } from 'tus-js-client';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../model/random.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import type { UppyRun } from '../../support/browser/uppy-page.ts';
import { itInFull, sampled } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { openSlowRelay, type SlowRelay } from '../../support/requests/slow-relay.ts';
import { closeServer } from '../../support/system/close-server.ts';

const MEGABYTE = 1_048_576;
const ABORTS = 20;

let household: Household;
let api: ApiClient;
/** So slow that there are offsets to abort at. */
let relay: SlowRelay;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn('upload list download');
  await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'Photos' });
  relay = await openSlowRelay(household.port, 8 * MEGABYTE);
});
afterAll(async () => {
  await household.close();
  await relay.close();
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const stored = (name: string) => readFile(join(household.home, 'Photos', name));

/** The same bytes for the same seed. */
function bytesOf(seed: number, size: number): Buffer {
  const random = new Random(seed);
  const block = Buffer.from(Uint32Array.from({ length: 250_007 }, () => random.next() * 2 ** 32).buffer);
  return Buffer.alloc(size, block);
}

function options(filename: string): UploadOptions {
  return {
    endpoint: `https://127.0.0.1:${relay.port}/tus/`,
    headers: { Authorization: `Bearer ${api.token_}` },
    httpStack: new DefaultHttpStack({ ca: household.ca }),
    metadata: { filename, path: '/ROOT/HOME/Photos', filetype: 'application/octet-stream' },
    retryDelays: null,
  };
}

describe('tus-js-client', () => {
  /** Sends some bytes, then aborts. The client reports its progress ten times a second. @returns the address of the upload, and whether it is complete */
  function send(
    content: Buffer,
    bytes: number,
    more: Partial<UploadOptions>,
  ): Promise<{ url: string | null; isComplete: boolean; from: number }> {
    return new Promise((resolve, reject) => {
      let from = -1;
      let isAborted = false;
      const upload = new Upload(content, {
        ...options('film.bin'),
        ...more,
        onProgress: (sent) => {
          if (from < 0) from = sent;
          if (sent < from + bytes || isAborted || sent === content.length) return;
          isAborted = true;
          upload.abort().then(() => resolve({ url: upload.url, isComplete: false, from }), reject);
        },
        onSuccess: () => resolve({ url: upload.url, isComplete: true, from }),
        onError: reject,
      });
      upload.start();
    });
  }

  it.each(
    sampled(
      [
        ['in one request', 64, {}],
        ['in chunks', 32, { chunkSize: 700_001 }],
        ['with content at creation', 32, { uploadDataDuringCreation: true, chunkSize: 1_000_000 }],
      ],
      1,
    ),
  )('resumes after 20 aborts at random offsets, %s', async (_how, megabytes, more) => {
    const random = new Random(20_261_125 + Object.keys(more).length);
    const content = bytesOf(7, megabytes * MEGABYTE + random.below(MEGABYTE));
    let url: string | null = null;
    let aborts = 0;
    let resumedAt = 0;
    for (let isComplete = false; !isComplete; ) {
      const bytes = aborts < ABORTS ? random.below(content.length / 100) : content.length;
      const sent = await send(content, bytes, { ...more, ...(url === null ? {} : { uploadUrl: url }) });
      if (!sent.isComplete) aborts += 1;
      expect(sent.from).toBeGreaterThanOrEqual(resumedAt);
      ({ url, isComplete } = sent);
      resumedAt = sent.from;
    }
    expect(aborts).toBe(ABORTS);
    expect(resumedAt).toBeGreaterThan(0);
    expect(sha256(await stored('film.bin'))).toBe(sha256(content));
  });

  it('terminates an upload', async () => {
    const content = bytesOf(8, 5 * MEGABYTE);
    await new Promise<void>((resolve, reject) => {
      const upload = new Upload(content, {
        ...options('terminated.bin'),
        chunkSize: MEGABYTE,
        onChunkComplete: () => void upload.abort(true).then(resolve, reject),
        onError: reject,
      });
      upload.start();
    });
    expect(await readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
  });

  it('starts again if an upload has expired', async () => {
    const content = bytesOf(9, MEGABYTE);
    const sent = await send(content, content.length, { uploadUrl: `${api.base}/tus/expired` });
    expect([sent.isComplete, sent.url]).toEqual([true, expect.not.stringContaining('expired')]);
  });
});

describe('in a browser, on another origin', () => {
  let browser: Browser;
  let site: Server;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    const script = await bundle('../../support/browser/uppy-page.ts');
    site = createServer((request, response) => {
      response.setHeader('Content-Type', request.url === '/page.js' ? 'text/javascript' : 'text/html');
      response.end(request.url === '/page.js' ? script : '<!doctype html><script type=module src=/page.js></script>');
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.waitForFunction('window.runUppy !== undefined');
  });
  afterAll(async () => {
    await browser?.close();
    await closeServer(site);
  });

  it('the example of the documentation works', async () => {
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'Documents' });
    const [example = ''] = await documented();
    const input = { url: api.base, token: api.token_ ?? '', name: 'example.txt', text: 'from a browser' };
    expect(await page.evaluate(`runExample(${JSON.stringify(example)}, ${JSON.stringify(input)})`)).toBe('stored');
    const path = join(household.home, 'Documents', 'example.txt');
    expect(await readFile(path, 'utf8')).toBe('from a browser');
    expect((await stat(path)).mtimeMs).toBe(1_600_000_000_000);
  });

  it('Uppy resumes an upload that was paused before its content was sent', async () => {
    const size = 3 * MEGABYTE;
    const run = await uppyRun({ name: 'paused.bin', size, pauses: [], isPausedBefore: true });
    const result = await page.evaluate(`runUppy(${JSON.stringify(run)})`);
    expect(result).toEqual({ pauses: 0, sha256: sha256(await stored('paused.bin')), failed: null });
  });

  itInFull('Uppy resumes after 20 pauses at random offsets', async () => {
    const devTools = await page.context().newCDPSession(page);
    const size = 30 * MEGABYTE + 12_345;
    // Slow enough that there are offsets to pause at.
    const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 6 * MEGABYTE };
    await devTools.send('Network.emulateNetworkConditions', speed);
    const random = new Random(20_261_126);
    const pauses = Array.from({ length: ABORTS }, (_, index) =>
      Math.floor(((index + random.next()) * size) / (ABORTS + 1)),
    );
    const run = await uppyRun({ name: 'uppy.bin', size, pauses, isPausedBefore: false });
    const result = await page.evaluate(`runUppy(${JSON.stringify(run)})`);
    expect(result).toMatchObject({ failed: null });
    const content = await stored('uppy.bin');
    expect(result).toEqual({ pauses: ABORTS, sha256: sha256(content), failed: null });
    expect(content.length).toBe(size);
  });
});

/** The examples in the documentation, for tus-js-client and Uppy. */
async function documented(): Promise<string[]> {
  const text = await readFile(new URL('../../../docs/tus.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, example = '']) => example);
}

async function uppyRun(run: Pick<UppyRun, 'name' | 'size' | 'pauses' | 'isPausedBefore'>): Promise<UppyRun> {
  const [, setUp = ''] = await documented();
  return { setUp, url: api.base, token: api.token_ ?? '', folder: '/ROOT/HOME/Photos', ...run };
}

/** A module and what it imports, as one script for browsers. */
async function bundle(module: string): Promise<string> {
  const entry = fileURLToPath(new URL(module, import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'page' } },
  });
  const [first] = Array.isArray(output) ? output : [output];
  if (first === undefined || !('output' in first)) throw new Error('nothing was built');
  return first.output[0].code;
}
