import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_LISTED_ENTRIES } from '../../dist/server/workers/archives/archive-jobs.js';
import { buildZip } from '../support/content/build-zip.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { ended, HOME, imported, start, YEAR } from './support.ts';

let household: Household;
beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

/** The numbers of entries in the end record of ZIP64 (APPNOTE 4.3.14). */
const END = Buffer.from('504b0606', 'hex');

it('tells an archive with too many entries from one that is not safe', async () => {
  const api = await household.signIn();
  const zip = buildZip([{ name: `${YEAR}/a.jpg`, content: 'one' }], { zip64: true });
  const at = zip.lastIndexOf(END);
  expect(at).toBeGreaterThan(0);
  for (const field of [24, 32]) zip.writeBigUInt64LE(BigInt(MAX_LISTED_ENTRIES + 1), at + field);
  await writeFile(join(household.home, 'large.zip'), zip);
  const { import: id } = await start(api, [`${HOME}/large.zip`]);
  expect((await ended(api, id)).import).toMatchObject({ state: 'failed', failure: 'upload_too_large' });
});

itInFull('reads an archive with more entries than may be extracted', async () => {
  const api = await household.signIn();
  const others = Array.from({ length: 100_001 }, (_, n) => ({ name: `Takeout/Mail/${n}` }));
  const zip = buildZip([{ name: `${YEAR}/a.jpg`, content: 'one' }, ...others], { zip64: true });
  await writeFile(join(household.home, 'many.zip'), zip);
  expect((await imported(api, [`${HOME}/many.zip`])).import).toMatchObject({ total: 1, stored: 1 });
});
