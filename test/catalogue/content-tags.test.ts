import { chmod, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';
import { openHousehold } from '../support/households/household.ts';
import { describeContentTags } from './content-tags.ts';
import { allProven, TaggedFiles } from './tagged-files.ts';

describeContentTags();

const files = new TaggedFiles();
const { at, path, tagOf, proven } = files;

beforeAll(() => files.open());
afterAll(() => files.household?.close());

describe('a file that is too large to be read while a request waits', () => {
  it('matches no condition until it was read in the background, and then has its tag again', async () => {
    const large = await openHousehold({ config: { hashRate: 0 } });
    try {
      let client = await large.signIn();
      const file = join(large.home, 'large.bin');
      const content = Buffer.alloc(65 * 1_024 * 1_024, 1);
      const { headers } = await client.put({ path: path('large.bin') }, content);
      const tag = String(headers.etag);
      const ask = (condition: Record<string, string>) =>
        client.send('HEAD', `/api.php/files/download?path=${path('large.bin')}`, { headers: condition });
      expect((await ask({ 'if-none-match': tag })).status).toBe(304);
      await chmod(file, 0o600);
      await expect.poll(async () => (await ask({ 'if-none-match': tag })).status).toBe(200);
      const given = String((await ask({})).headers.etag);
      expect(given).not.toBe(tag);
      expect((await ask({ 'if-none-match': given })).status).toBe(200);
      const part = await client.send('GET', `/api.php/files/download?path=${path('large.bin')}`, {
        headers: { range: 'bytes=0-0', 'if-range': tag },
      });
      expect(part.status).toBe(200);
      const info = await client.get('files/info', { path: path('large.bin'), details: ['etag', 'sha256'] });
      expect(info.body.data).toMatchObject({ etag: tag, sha256: null });
      const refused = await client.send('POST', `/api.php/files/delete?path=${path('large.bin')}`, {
        headers: { 'if-match': tag },
      });
      expect(refused.body.code).toBe('precondition_failed');
      await large.restart({ hashDelay: 0.1, hashRate: 1_000 });
      client = await large.signIn();
      await allProven(large);
      expect((await ask({ 'if-none-match': tag })).status).toBe(304);
    } finally {
      await large.close();
    }
  });
});

itInFull('derivatives of an earlier content of the same size and time are made again', async () => {
  files.name = 'found.txt';
  await files.api.put({ path: path() }, 'the word albatross');
  await utimes(at(), 1_600_000_000, 1_600_000_000);
  const found = async (word: string) =>
    (await files.api.post('files/search', { path: '/ROOT/HOME', contents: word })).body.data.files.length;
  await expect.poll(() => found('albatross')).toBe(1);
  await proven(await tagOf());
  await writeFile(at(), 'the word cormorant');
  await utimes(at(), 1_600_000_000, 1_600_000_000);
  await expect.poll(() => found('cormorant')).toBe(1);
  expect(await found('albatross')).toBe(0);
});

it('the thumbnail of a picture changes after the picture was changed in place', async () => {
  files.name = 'picture.png';
  const picture = async (background: string) =>
    sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png({ compressionLevel: 0 })
      .toBuffer();
  const [red, blue] = await Promise.all(['red', 'blue'].map(picture));
  expect(blue?.length).toBe(red?.length);
  await files.api.put({ path: path(), lastModified: 1_500_000_000 }, red as Buffer);
  const thumbnail = () => files.api.send('GET', `/api.php/files/thumbnail?path=${encodeURIComponent(path())}`);
  const before = await thumbnail();
  expect(before.status).toBe(200);
  await writeFile(at(), blue as Buffer);
  await utimes(at(), 1_500_000_000, 1_500_000_000);
  const isOther = async () => !(await thumbnail()).bytes.equals(before.bytes);
  // As soon as the server has seen it, and for good.
  await expect.poll(isOther).toBe(true);
  await allProven(files.household);
  expect(await isOther()).toBe(true);
  expect((await thumbnail()).headers.etag).not.toBe(before.headers.etag);
});
