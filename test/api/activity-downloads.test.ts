import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { rowsOf } from '../support/requests/activity.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

let tests = 0;
const at = (...names: string[]) => join(household.home, `work${tests}`, ...names);
const path = (name: string) => `/ROOT/HOME/work${tests}/${name}`;

beforeEach(async () => {
  tests += 1;
  await mkdir(at('box'), { recursive: true });
  await writeFile(at('a.txt'), 'one');
  await writeFile(at('box', 'b.txt'), 'two');
});

describe('a download is logged once, at its beginning', () => {
  const download = (headers: Record<string, string>, method = 'GET', name = 'a.txt') =>
    api.send(method, `/api.php/files/download?path=${encodeURIComponent(path(name))}`, { headers });

  it.each([
    ['the whole', {}, 'GET', 200, 1],
    ['by POST', {}, 'POST', 200, 1],
    ['the beginning', { range: 'bytes=0-0' }, 'GET', 206, 1],
    ['the beginning and the end', { range: 'bytes=0-0,2-2' }, 'GET', 206, 1],
    ['the rest', { range: 'bytes=1-' }, 'GET', 206, 0],
    ['the end', { range: 'bytes=-1' }, 'GET', 206, 0],
    ['outside', { range: 'bytes=9-' }, 'GET', 416, 0],
    ['nothing but the head', {}, 'HEAD', 200, 0],
  ])('%s', async (_name, headers, method, status, count) => {
    const rows = await rowsOf(household, async () => {
      expect((await download(headers as Record<string, string>, method)).status).toBe(status);
    });
    expect(rows.map(({ kind }) => kind)).toEqual(Array(count).fill('file.downloaded'));
  });

  it('not for a cached copy, but for an empty file', async () => {
    await writeFile(at('empty.txt'), '');
    const { etag = '' } = (await download({}, 'HEAD')).headers;
    const rows = await rowsOf(household, async () => {
      expect((await download({ 'if-none-match': etag })).status).toBe(304);
      expect((await download({}, 'HEAD', 'empty.txt')).status).toBe(200);
      expect((await download({}, 'HEAD', 'box')).status).toBe(200);
      expect((await download({}, 'GET', 'empty.txt')).status).toBe(200);
    });
    expect(rows).toMatchObject([{ kind: 'file.downloaded', subject: path('empty.txt') }]);
  });
});
