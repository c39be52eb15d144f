import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { archiveJobs } from '../../dist/server/workers/archives/archive-jobs.js';
import { forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool } from '../../dist/server/workers/pool/worker-pool.js';
import { buildZip } from '../support/content/build-zip.ts';
import { log } from './support.ts';

it('extracts an archive of 100,000 entries, including their folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-archive-'));
  const limits = { deadline: 300_000 };
  const pool = createWorkerPool({ jobs: archiveJobs, log, limits, spawnWorker: () => forkWorker('archive-worker') });
  try {
    const file = join(folder, 'a.zip');
    const items = Array.from({ length: 99_999 }, (_, n) => ({ name: `some folder with a longer name/${n}.txt` }));
    await writeFile(file, buildZip(items, { zip64: true }));
    const { ino, size, mtimeNs } = await stat(file, { bigint: true });
    const archive = { paths: [file], identity: `${ino}.${size}.${mtimeNs}` };
    const content = await pool.run('check', { archive, maxDepth: 100, maxPath: 3_000 });
    expect('hazard' in content ? content.hazard : content.paths.length).toBe(99_999);
  } finally {
    await pool.close();
    await rm(folder, { recursive: true });
  }
});
