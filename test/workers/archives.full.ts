import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
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
/** 7-Zip for Linux takes a backslash for a character of the name; the other two separate names there. */
const withoutBackslashes = new Map([...files].filter(([name]) => !name.includes('-backslashes-')));
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

/** @param extract the program with its options @param warnings statuses of its end that leave out nothing */
function readBy(folder: string, extract: (archive: string, place: string) => string[], warnings: readonly number[]) {
  const values = new Map<string, unknown>();
  const place = join(folder, '..', 'extracted-by-program');
  for (const archive of readdirSync(folder)) {
    mkdirSync(place);
    const [program = '', ...options] = extract(join(folder, archive), place);
    try {
      printed(program, options);
    } catch (error) {
      if (!warnings.includes((error as { status?: number }).status ?? 0)) throw error;
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
  for (const file of await readdir(folder)) {
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
  program: {
    name: 'UnZip',
    version: ['unzip', '-v'],
    // It warns of backslashes with 1, and of an entry `/` with 2, and extracts the others.
    read: (folder) => readBy(folder, (archive, place) => ['unzip', '-q', '-o', archive, '-d', place], [1, 2]),
  },
  larder: readByLarder,
  differences: DIFFERENCES.archives,
});

compareFamily({
  name: 'archives-bsdtar',
  files,
  program: {
    name: 'bsdtar',
    version: ['bsdtar', '--version'],
    read: (folder) => readBy(folder, (archive, place) => ['bsdtar', '-x', '-f', archive, '-C', place], [1]),
  },
  larder: readByLarder,
  differences: DIFFERENCES.archivesByBsdtar,
});

compareFamily({
  name: 'archives-7z',
  files: withoutBackslashes,
  program: {
    name: '7-Zip',
    version: ['7z', 'i'],
    read: (folder) => readBy(folder, (archive, place) => ['7z', 'x', '-y', `-o${place}`, archive], [1]),
  },
  larder: readByLarder,
  differences: DIFFERENCES.archivesBy7zip,
});
