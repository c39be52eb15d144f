import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder } from './flush.ts';
import { MARKER_FILE } from './folder-handle.ts';
import { type Area, areaIn } from './layout.ts';

/**
 * Makes a new, empty home and puts its marker there. A folder with a marker and nothing else is what a power cut left
 * of the same attempt, and is taken.
 * @returns the id in the marker
 * @throws when something that is not empty stands at `root` already: nothing that exists is adopted
 */
export async function createHome(root: string): Promise<string> {
  await mkdir(root, { recursive: true });
  const found = await readdir(root);
  if (found.length === 1 && found[0] === MARKER_FILE) {
    const left = (await readFile(join(root, MARKER_FILE), 'utf8')).trim();
    if (isUuid(left)) return left;
  }
  if (found.length > 0) {
    throw new Error(`${root} exists and is not empty. Choose another user name, or move its files away first.`);
  }
  const id = randomUUID();
  const marker = await open(join(root, MARKER_FILE), 'wx', 0o644);
  try {
    await marker.writeFile(`${id}\n`);
    await marker.sync();
  } finally {
    await marker.close();
  }
  await flushFolder(root);
  await flushFolder(dirname(root));
  return id;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Takes back a home that was made for an account that could not be added. */
export async function discardNewHome(root: string): Promise<void> {
  await unlink(join(root, MARKER_FILE)).catch(() => undefined);
  await rmdir(root).catch(() => undefined);
}

/** Makes the work area in `folder`, readable by the owner of the process only. */
export async function createArea(folder: string): Promise<Area> {
  const area = areaIn(folder);
  for (const path of Object.values(area)) await mkdir(path, { recursive: true, mode: 0o700 });
  return area;
}
