import { afterAll, expect, it } from 'vitest';
import { TwoProtocols } from './two-protocols.ts';

const SEED = Number(process.env.LARDER_SEED ?? 1);
let two: TwoProtocols;
afterAll(() => two?.household.close());

it('the API and WebDAV give the same answers to 300 requests', async () => {
  two = await TwoProtocols.open(SEED);
  const differences: string[] = [];
  for (let asked = 0; asked < 300; asked += 1) {
    const difference = await two.ask();
    if (difference !== null) differences.push(difference);
  }
  expect(differences).toEqual([]);
  const { api, dav } = await two.ends();
  expect(dav.entries).toEqual(api.entries);
  // What a program deletes to save a document comes back as the document.
  expect(api.deleted).toEqual(expect.arrayContaining([...dav.deleted]));
}, 120_000);
