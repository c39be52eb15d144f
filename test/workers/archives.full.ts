import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { archiveJobs } from '../../dist/server/workers/archives/archive-jobs.js';
import { forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool } from '../../dist/server/workers/pool/worker-pool.js';
import { archives } from './reference/archives/files.ts';
import type { Values } from './reference/differences.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { log } from './support.ts';

const files = archives();
const pool = createWorkerPool({ jobs: archiveJobs, log, spawnWorker: () => forkWorker('archive-worker') });
afterAll(() => pool.close());

/** Times of DOS are local, and stored as such; the others are in UTC. */
function timeIn(archive: string, milliseconds: number): string {
  const date = new Date(milliseconds);
  if (archive.startsWith('utc-')) return date.toISOString().slice(0, 19);
  return new Date(milliseconds - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

const contentOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);

function treeOf(folder: string): readonly { readonly path: string; readonly isFolder: boolean }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name).slice(folder.length + 1),
    isFolder: entry.isDirectory(),
  }));
}

function readByUnzip(folder: string): Values {
  const values = new Map<string, unknown>();
  const place = join(folder, '..', 'unzipped');
  for (const archive of files.keys()) {
    mkdirSync(place);
    try {
      printed('unzip', ['-q', '-o', join(folder, archive), '-d', place]);
    } catch (error) {
      // It warns of backslashes with 1, and of an entry `/` with 2, and extracts the others.
      if (![1, 2].includes((error as { status?: number }).status ?? 0)) throw error;
    }
    for (const { path, isFolder } of treeOf(place)) {
      const at = join(place, path);
      values.set(
        `${archive}: ${path}`,
        isFolder ? 'folder' : `${contentOf(at)} ${timeIn(archive, statSync(at).mtimeMs)}`,
      );
    }
    rmSync(place, { recursive: true });
  }
  return values;
}

async function readByLarder(folder: string): Promise<Values> {
  const values = new Map<string, unknown>();
  const place = join(folder, '..', 'extracted');
  for (const file of files.keys()) {
    const path = join(folder, file);
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    const archive = { paths: [path], identity: `${ino}.${size}.${mtimeNs}` };
    const content = await pool.run('check', { archive, maxDepth: 100, maxPath: 3_000 });
    if ('hazard' in content) {
      values.set(file, content.hazard);
      continue;
    }
    await mkdir(place);
    await pool.run('unpack', { archive, content, folder: place, tree: 'tree' });
    const tree = join(place, 'tree');
    for (const { path: inside, isFolder } of treeOf(tree)) {
      const time = content.times[content.paths.indexOf(inside)] ?? Number.NaN;
      const when = Number.isNaN(time) ? 'unknown' : timeIn(file, time);
      values.set(`${file}: ${inside}`, isFolder ? 'folder' : `${contentOf(join(tree, inside))} ${when}`);
    }
    rmSync(place, { recursive: true });
  }
  return values;
}

compareFamily({
  name: 'archives',
  files,
  program: { name: 'UnZip', version: ['unzip', '-v'], read: readByUnzip },
  larder: readByLarder,
  differences: DIFFERENCES.archives,
});
