import { expect, it } from 'vitest';
import { cachedReads } from '../../dist/server/database/cached-reads.js';

it('reads once until something is written, and repeats reads that found nothing', async () => {
  let generation = 0;
  let reads = 0;
  const unchangedSince = () => {
    const since = generation;
    return () => generation === since;
  };
  const kept = cachedReads({ unchangedSince }, 'accounts', 2, async (key: string) => {
    reads += 1;
    return key === 'nobody' ? null : `${key} ${reads}`;
  });
  expect([await kept('ann'), await kept('ann'), reads]).toEqual(['ann 1', 'ann 1', 1]);
  generation += 1;
  expect(await kept('ann')).toBe('ann 2');
  expect([await kept('nobody'), await kept('nobody'), reads]).toEqual([null, null, 4]);
});

it('caches nothing that was read during a write', async () => {
  let generation = 0;
  let reads = 0;
  const unchangedSince = () => {
    const since = generation;
    return () => generation === since;
  };
  const kept = cachedReads({ unchangedSince }, 'accounts', 2, async () => {
    reads += 1;
    // A commit in the middle of the first read.
    if (reads === 1) generation += 1;
    return reads;
  });
  expect([await kept('ann'), await kept('ann'), await kept('ann')]).toEqual([1, 2, 2]);
});
