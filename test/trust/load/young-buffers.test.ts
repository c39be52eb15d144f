import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** Receives 256 MB in chunks as TLS delivers them, and counts the collections of young objects meanwhile. */
const PROGRAM = `
import { closeSync, openSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
const { writeStream } = await import(process.argv[1]);
let young = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) if (detail.kind === 1) young += 1;
}).observe({ entryTypes: ['gc'] });
function* chunks() {
  for (let at = 0; at < 16_384; at += 1) yield Buffer.from(new ArrayBuffer(16_384));
}
const fd = openSync(process.argv[2], 'wx');
const options = { from: 0, limit: 2 ** 40, announced: null, failPoints: { folder: '', actions: {} } };
const size = await writeStream(Readable.from(chunks(), { objectMode: false }), fd, options);
closeSync(fd);
await wait(50);
console.log(JSON.stringify({ size, young }));
`;

it.skipIf(process.platform === 'win32')('buffers of a large upload are collected while they are young', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
  const module = new URL('../../../dist/server/storage/content/write-stream.js', import.meta.url).href;
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '--eval',
    PROGRAM,
    module,
    join(folder, 'file'),
  ]);
  await rm(folder, { recursive: true });
  const { size, young } = JSON.parse(stdout);
  expect(size).toBe(256 * 1024 * 1024);
  // Without, there would be about eight.
  expect(young).toBeGreaterThan(30);
});
