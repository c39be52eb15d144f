import { expect, it } from 'vitest';
import { traversal } from './traversal.ts';

it('paths that lead out lead nowhere, in every parameter that takes a path or a name', {
  timeout: 300_000,
}, async () => {
  const { complaints, requests, doors } = await traversal({ share: 0.015, seed: 20_261_122 });
  expect(complaints).toEqual([]);
  expect(doors).toBeGreaterThan(100);
  expect(requests).toBeGreaterThan(1_000);
});
