import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { objectAccess } from './object-access.ts';

it('items of others do not exist for five kinds of accounts, in every operation', {
  timeout: 300_000,
}, async () => {
  const { complaints, requests, allRequests, statuses } = await objectAccess({ most: 3 });
  expect(complaints).toEqual([]);
  expect(requests).toBeGreaterThan(1_000);
  // Not refused for another reason first.
  expect(statuses.get(404) ?? 0).toBeGreaterThan(requests / 4);
  // What the document says of the run that tries every way of naming an item.
  const document = await readFile(new URL('../../../docs/assurance.md', import.meta.url), 'utf8');
  const [, stated] = /\| items of other accounts \| ([\d,]+) requests/.exec(document) ?? [];
  expect(stated).toBe(allRequests.toLocaleString('en'));
});
