import { expect, it } from 'vitest';
import { statusesTold } from '../values/probe.ts';
import { objectAccess } from './object-access.ts';

it('what belongs to somebody is not there for accounts of five kinds, by any way of naming it', {
  timeout: 1_200_000,
}, async ({ task }) => {
  const { complaints, requests, statuses } = await objectAccess({ most: 99 });

  task.meta.trust = {
    tried: `${requests} requests, every operation, 15 ways of naming; ${statusesTold(statuses)}`,
    found: `${complaints.length} answers that differ from those for what never was`,
  };
  expect(complaints).toEqual([]);
});
