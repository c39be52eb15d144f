import { expect, it } from 'vitest';
import { statusesTold } from '../values/probe.ts';
import { objectAccess } from './object-access.ts';

it('items of others do not exist for five kinds of accounts, by any way of naming them', {
  timeout: 1_200_000,
}, async ({ task }) => {
  const { complaints, requests, statuses } = await objectAccess({ most: 99 });

  task.meta.trust = {
    tried: `${requests} requests, every operation, 15 ways of naming; ${statusesTold(statuses)}`,
    found: `${complaints.length} answers that differ from those for what never was`,
  };
  expect(complaints).toEqual([]);
});
