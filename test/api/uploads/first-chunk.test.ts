import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { type ApiClient, encodeQuery } from '../../support/requests/api-client.ts';
import { holdRequest } from '../../support/requests/held-request.ts';

// The first chunk of an upload without an id, which replies name once a part of it is on the disk.

let household: Household;
let api: ApiClient;
beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household?.close());

const SIZE = 400_000;
const path = '/ROOT/HOME/film.bin';

/** The id of the only unfinished upload; null before it has begun. */
async function uploadId(): Promise<string | null> {
  const database = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'), sqlite3.OPEN_READONLY);
  try {
    const [row] = await database.all<{ key: string }>('SELECT upload_key AS key FROM uploads');
    return row?.key ?? null;
  } finally {
    await database.close();
  }
}

it('gives way to a chunk that continues the upload by its id, and writes nothing after it', async () => {
  const [first, whole] = [randomBytes(SIZE / 4), randomBytes(SIZE)];
  const query = encodeQuery({ path, totalSize: SIZE, startByte: 0, lastModified: 1_700_000_000 });
  const head = [`PUT /api.php/files/upload?${query} HTTP/1.1`, `Authorization: Bearer ${api.token_}`];
  const held = await holdRequest(household, head, first);
  await expect.poll(uploadId).not.toBeNull();
  const named = { path, totalSize: SIZE, startByte: 0, uploadId: (await uploadId()) ?? '' };
  const stored = api.put(named, whole);
  // Its connection ends, without a reply that says that its content was stored.
  expect([null, 400, 409]).toContain(await held.ended());
  expect((await stored).status).toBe(201);
  expect(whole.equals(await readFile(join(household.home, 'film.bin')))).toBe(true);
});
