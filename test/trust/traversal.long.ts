import { expect, it } from 'vitest';
import { traversal } from './traversal.ts';

it('paths that lead out lead nowhere, in every parameter that takes a path or a name', { timeout: 3_600_000 }, async ({
  task,
}) => {
  const { complaints, requests, doors, paths, statuses } = await traversal({ share: 1, seed: 1 });
  const told = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  task.meta.trust = {
    tried: `${paths} paths, with those of wfuzz where it is installed, in ${doors} places, ${requests} requests; ${told.join(', ')}`,
    found: `${complaints.length} complaints`,
  };
  expect(complaints).toEqual([]);
});
