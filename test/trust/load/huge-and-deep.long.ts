import { expect, it } from 'vitest';
import { hugeAndDeep } from './huge-and-deep.ts';

it('extremely large or deep input is refused in every operation', { timeout: 1_800_000 }, async ({ task }) => {
  const { operations, shapes, requests, complaints, statuses, slowest, memory } = await hugeAndDeep({
    everything: true,
  });
  const told = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status || 'shut'}: ${count}`);
  const [before, most] = [memory.before, memory.most].map((bytes) => Math.round(bytes / 1_000_000));
  task.meta.trust = {
    tried: `${shapes} shapes and values of 100 and 900 KB in ${operations} operations, ${requests} requests; ${told.join(', ')}`,
    found: `${complaints.length} complaints; the slowest answer ${Math.round(slowest.own)} ms, to a bystander ${Math.round(slowest.bystander)} ms; memory ${before} MB, at the most ${most} MB`,
  };
  expect(complaints).toEqual([]);
  expect(slowest.bystander, `while there was ${slowest.told}`).toBeLessThan(5_000);
  expect(memory.most - memory.before).toBeLessThan(500_000_000);
});
