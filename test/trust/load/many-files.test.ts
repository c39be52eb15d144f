import { expect, it } from 'vitest';
import { startWithMany } from './many-files.ts';

it('a start after a kill does not wait for the scan of a home of five thousand files', {
  timeout: 120_000,
}, async () => {
  const { starts, acknowledged } = await startWithMany({ items: 5_000, kills: 1 });
  expect(starts).toHaveLength(1);
  expect(acknowledged).toBeGreaterThan(0);
});
