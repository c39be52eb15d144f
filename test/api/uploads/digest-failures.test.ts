import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Installation } from '../../support/households/server-process.ts';
import { encodeQuery } from '../../support/requests/api-client.ts';

const POINT = 'files.upload.complete';
let installation: Installation;

beforeEach(async () => {
  installation = await Installation.create();
});
afterEach(() => installation.remove());

it('a chunked upload is kept if its content cannot be read to verify its digest', async () => {
  const content = randomBytes(300_000);
  const half = content.length / 2;
  const api = await installation.start(`${POINT}=pause`);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const query = { path: '/ROOT/HOME/a.bin', totalSize: content.length, uploadId: 'upload-0123456789abcdef', sha256 };
  await api.put({ ...query, startByte: 0 }, content.subarray(0, half));
  const last = api.put({ ...query, startByte: half }, content.subarray(half));
  await expect.poll(() => installation.hasReached(POINT)).toBe(true);
  const incoming = join(installation.folder, '.larder', 'incoming');
  const [name = ''] = await readdir(incoming);
  await rename(join(incoming, name), join(installation.points, 'away'));
  await writeFile(join(installation.points, `${POINT}.go`), '');
  expect((await last).status).toBeGreaterThanOrEqual(500);
  await rename(join(installation.points, 'away'), join(incoming, name));
  const asked = await api.send('PUT', `/api.php/files/upload?${encodeQuery({ ...query, getOffset: 1 })}`);
  expect(asked.body.data.offset).toBe(content.length);
  expect((await api.put({ ...query, startByte: content.length }, '')).status).toBe(201);
  expect((await readFile(join(installation.home, 'a.bin'))).equals(content)).toBe(true);
});
