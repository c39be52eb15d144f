import { expect, it } from 'vitest';
import { objectAccess } from './object-access.ts';

it('what belongs to somebody is not there for accounts of five kinds, with every operation', {
  timeout: 300_000,
}, async () => {
  const { complaints, requests, statuses } = await objectAccess({ most: 3 });
  expect(complaints).toEqual([]);
  expect(requests).toBeGreaterThan(1_000);
  // Not refused for another reason first.
  expect(statuses.get(404) ?? 0).toBeGreaterThan(requests / 4);
});
