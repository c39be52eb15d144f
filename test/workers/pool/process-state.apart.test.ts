import { dirname } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { forkFile } from '../../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool } from '../../../dist/server/workers/pool/worker-pool.js';
import { log, ODD_WORKER, oddJobs, openOddPool, outcomeOf } from '../support.ts';

// What workers are given of the server's process, and what happens when its program cannot be started.

let end: (() => Promise<void>) | null = null;

afterEach(async () => {
  await end?.();
  end = null;
});

it('a worker gets no environment variables, and only a memory limit as option', async () => {
  process.env.LARDER_TEST_SECRET = 'secret';
  const { pool } = openOddPool();
  end = () => pool.close();
  const {
    environment,
    arguments: flags,
    folder,
  } = await pool.run('surroundings', undefined).finally(() => {
    delete process.env.LARDER_TEST_SECRET;
  });
  const names = Object.keys(environment).filter((name) => !name.startsWith('NODE_CHANNEL_'));
  expect(names.sort()).toEqual(['MALLOC_ARENA_MAX', 'TZ', 'UV_THREADPOOL_SIZE', 'VIPS_DISC_THRESHOLD']);
  expect(flags).toEqual([expect.stringMatching(/^--max-old-space-size=\d+$/)]);
  expect(folder).toBe(dirname(ODD_WORKER));
});

it('jobs fail while the program cannot be started, and succeed afterwards', async () => {
  const { execPath } = process;
  process.execPath = '/nowhere/node';
  const none = createWorkerPool({ jobs: oddJobs, log, spawnWorker: () => forkFile(ODD_WORKER) });
  const without = Promise.all([outcomeOf(none.run('echo', 1)), outcomeOf(none.run('echo', 2))]).finally(() => {
    process.execPath = execPath;
  });
  expect(await without).toEqual(['busy', 'busy']);
  expect(await none.run('echo', 3)).toBe(3);
  await none.close();
});
