import { expect, it } from 'vitest';
import { soak } from './soak.ts';

const MINUTES = Number(process.env.LARDER_MINUTES ?? 30);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));
const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);

it(`ten people with twenty devices are served for ${MINUTES} minutes`, { timeout: 7_200_000 }, async ({ task }) => {
  const { requests, complaints, first, last } = await soak({ minutes: MINUTES, seed: SEED });
  const told = ({ memory, handles, latency }: typeof first) =>
    `${megabytes(memory)} MB, ${handles} handles, 95 of 100 requests within ${Math.round(latency)} ms`;
  task.meta.trust = {
    tried: `${requests} requests in ${MINUTES} minutes, seed ${SEED}`,
    found: `${complaints.length} errors; first quarter ${told(first)}; last quarter ${told(last)}`,
  };
  expect(complaints).toEqual([]);
  expect(last.memory, 'memory').toBeLessThan(first.memory * 1.25 + 30_000_000);
  expect(last.handles, 'handles').toBeLessThan(first.handles + 60);
  expect(last.latency, 'latency').toBeLessThan(first.latency * 1.5 + 50);
});
