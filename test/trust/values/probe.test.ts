import { expect, it } from 'vitest';
import { injections } from './injections.ts';
import { traversal } from './traversal.ts';

it('paths that lead outside are refused in every parameter for a path or a name', {
  timeout: 300_000,
}, async () => {
  const { complaints, requests, channels } = await traversal({ share: 0.015, seed: 20_261_122 });
  expect(complaints).toEqual([]);
  expect(channels).toBeGreaterThan(100);
  expect(requests).toBeGreaterThan(1_000);
});

it('syntax of databases, pages, headers and logs is treated as text in every parameter', {
  timeout: 300_000,
}, async () => {
  const { complaints, requests, channels } = await injections({ share: 0.05, seed: 20_261_122 });
  expect(complaints).toEqual([]);
  expect(channels).toBeGreaterThan(300);
  expect(requests).toBeGreaterThan(1_000);
});
