import { execFileSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppleNote, appleNote, applePhoto } from '../support/content/apple-photos.ts';
import { isInstalled } from '../support/system/is-installed.ts';
import { type EmbeddedReading, openEmbeddedReader } from './embedded-support.ts';

const CONTENT = '6D9C2E1A-0F3B-4C6D-8E55-1B7A94D20C11';
const BURST = 'B1E0F5C2-7A44-4D1B-9C0E-3F2A6D8890AB';

let reading: EmbeddedReading;
beforeAll(async () => {
  reading = await openEmbeddedReader();
});
afterAll(() => reading?.close());

const jpeg = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer();
const photo = async (note: AppleNote) => applePhoto(await jpeg(), note);
const groupOf = async (extension: string, content: Buffer) => (await reading.read(extension, content)).group;

it('reads the video and the burst that a photo of Apple belongs to', async () => {
  const both = { content: CONTENT, burst: BURST };
  expect(await groupOf('jpg', await photo(both))).toEqual({ pairId: CONTENT, burstId: BURST, milliseconds: null });
  expect(await groupOf('jpg', await photo({ burst: BURST }))).toMatchObject({ pairId: null, burstId: BURST });
  expect(await groupOf('jpg', await jpeg())).toEqual({ pairId: null, burstId: null, milliseconds: null });
});

it.each([
  ['another camera', (note: Buffer) => note.fill('Nikon', 0, 5)],
  ['another byte order', (note: Buffer) => note.fill('II', 12, 14)],
  ['a value beyond its end', (note: Buffer) => note.fill(0xff, 24, 28)],
  ['a value that never ends', (note: Buffer) => note.fill(0xff, 20, 24)],
  ['numbers in place of a text', (note: Buffer) => note.fill(4, 18, 20)],
])('reads nothing from a maker note with %s', async (_what, change) => {
  const whole = await photo({ content: CONTENT });
  const note = appleNote({ content: CONTENT });
  const at = whole.indexOf('Apple iOS');
  expect(whole.subarray(at, at + note.length)).toEqual(note);
  change(whole.subarray(at, at + note.length));
  expect(await groupOf('jpg', whole)).toMatchObject({ pairId: null });
});

it('ignores a text that is too long for an identifier', async () => {
  expect(await groupOf('jpg', await photo({ content: 'A'.repeat(65) }))).toMatchObject({ pairId: null });
});

/** As versions of ExifTool call the identifier. */
const CONTENT_TAGS = ['MediaGroupUUID', 'ContentIdentifier'];

it.skipIf(!isInstalled('exiftool'))('reads the identifiers that ExifTool writes into JPEG and HEIC', async () => {
  const at = (name: string) => join(reading.folder, name);
  const run = (...options: string[]) => execFileSync('exiftool', options, { encoding: 'utf8', stdio: 'pipe' });
  await writeFile(at('made.jpg'), await photo({ content: 'before', burst: 'before' }));
  const tags = CONTENT_TAGS.map((tag) => `-${tag}`);
  expect(run('-s3', '-BurstUUID', ...tags, at('made.jpg'))).toBe('before\nbefore\n');
  const values = tags.map((tag) => `${tag}=${CONTENT}`);
  run('-overwrite_original', `-BurstUUID=${BURST}`, ...values, at('made.jpg'));
  const expected = { pairId: CONTENT, burstId: BURST, milliseconds: null };
  expect((await reading.readAt(at('made.jpg'))).group).toEqual(expected);
  await copyFile('test/fixtures/pictures/telephone.heic', at('made.heic'));
  run('-overwrite_original', '-tagsFromFile', at('made.jpg'), '-makernotes', '-make', at('made.heic'));
  expect((await reading.readAt(at('made.heic'))).group).toEqual(expected);
});

it.skipIf(!isInstalled('ffmpeg'))('reads the identifiers that ffmpeg writes into QuickTime', async () => {
  const [from, to] = ['test/fixtures/video/rotated.mov', join(reading.folder, 'made.mov')];
  const named = ['-movflags', 'use_metadata_tags', '-metadata', `com.apple.quicktime.content.identifier=${CONTENT}`];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', from, '-c', 'copy', ...named, to]);
  expect((await reading.readAt(to)).group).toEqual({ pairId: CONTENT, burstId: null, milliseconds: 1_000 });
});
