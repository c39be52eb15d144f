import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';
import { statusesTold } from './probe.ts';

const REQUESTS = Number(process.env.LARDER_REQUESTS ?? 100_000);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

/** Bytes that what is compiled meanwhile may take. */
const MORE = 8_000_000;

it(`${REQUESTS} random requests from the description of the API cause no fault`, { timeout: 3_600_000 }, async ({
  task,
}) => {
  const report = await fuzz({ requests: REQUESTS, seed: SEED });
  const { memory, milliseconds, slowest, statuses } = report;
  const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);

  task.meta.trust = {
    tried: `${REQUESTS} requests in ${Math.round(milliseconds / 1_000)} s, seed ${SEED}; ${statusesTold(statuses)}`,
    found: `${report.complaints.length} complaints, the slowest ${Math.round(slowest)} ms, ${megabytes(memory.before)} MB of heap in use after a tenth, ${megabytes(memory.after)} MB at the end`,
  };
  expect(report.complaints).toEqual([]);
  expect(memory.after, 'memory is back to its level').toBeLessThan(memory.before + MORE);
});
