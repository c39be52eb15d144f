import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../dist/server/database/database.js';
import { searchContents } from '../../../dist/server/search/contents.js';
import { documents } from '../../support/content/documents.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;
/** A second look into the server's database: what it finds is on the disk. */
let database: Database;
beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  database = await openDatabase(join(household.folder, '.larder', 'larder.sqlite'), join(household.folder, 'unused'));
});
afterAll(async () => {
  await database.close();
  await household.close();
});

async function found(text: string): Promise<number> {
  const home = await database.get<{ id: string }>('SELECT id FROM homes');
  return (await searchContents(database, home?.id ?? '', text, 100)).ids.length;
}

const upload = (name: string, body: Buffer | string) =>
  api.send('PUT', `/api.php/files/upload/?path=/ROOT/HOME/${name}`, { body: Buffer.from(body as string) });

it('a server indexes uploads, including those waiting when it was stopped', async () => {
  expect((await upload('a.docx', documents.docx ?? '')).status).toBe(201);
  await expect.poll(() => found('rechnung müller')).toBe(1);
  expect((await upload('a.docx', documents.pptx ?? '')).status).toBe(200);
  expect((await upload('b.txt', 'Rechnung')).status).toBe(201);
  await household.restart();
  await expect.poll(() => found('rechnung')).toBe(2);
  api = await household.signIn();
  const path = '/api.php/files/delete/?path=/ROOT/HOME/b.txt';
  const trashed = (await api.send('GET', path)).body.data as { trash_path: string };
  expect(await found('rechnung')).toBe(2);
  expect((await api.send('POST', `/api.php/files/trash/delete/?path=${trashed.trash_path}`)).status).toBe(200);
  await expect.poll(() => found('rechnung')).toBe(1);
  expect(household.logged()).not.toMatch(/"level":"(?:error|warn)"/);
});
