import { expect, it } from 'vitest';
import { fuzzWebdav } from './dav-fuzz.ts';

const REQUESTS = Number(process.env.LARDER_REQUESTS ?? 30_000);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

it(`${REQUESTS} random requests of WebDAV cause no fault`, { timeout: 3_600_000 }, async ({ task }) => {
  const { complaints, statuses } = await fuzzWebdav({ requests: REQUESTS, seed: SEED });
  const answered = [...statuses].sort(([, a], [, b]) => b - a).slice(0, 12);
  task.meta.trust = {
    tried: `${REQUESTS} requests, seed ${SEED}; ${answered.map(([key, count]) => `${key}: ${count}`).join(', ')}`,
    found: `${complaints.length} complaints`,
  };
  expect(complaints).toEqual([]);
});
