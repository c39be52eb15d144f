import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { foldName } from '../../lib/names/names.ts';
import { nullIfMissing } from '../errors.ts';
import { areaIn } from '../layout.ts';
import { AREA_FOLDER, isReserved, MARKER_FILE } from '../paths/folder-handle.ts';
import { readMarker } from './marker.ts';

/** The contents of a folder that is to become a home. */
interface HomeContent {
  /** Whether it contains only our own files. */
  readonly isEmpty: boolean;
  /** The id in its marker, or null without one. */
  readonly markerId: string | null;
  /** Whether it has a work area, or something else of that name. */
  readonly area: 'none' | 'folder' | 'in-the-way';
}

/** @returns null when there is no such folder @throws the system's error when it cannot be read */
export async function homeContent(root: string): Promise<HomeContent | null> {
  const names = await readdir(root).catch(nullIfMissing);
  if (names === null) return null;
  const others = names.filter((name) => !isReserved(name));
  const area = await areaState(root, names);
  const hasMarker = names.some((name) => foldName(name) === MARKER_FILE);
  return {
    isEmpty: others.length === 0 && (area !== 'folder' || (await isEmptyArea(join(root, AREA_FOLDER)))),
    markerId: hasMarker ? markerIn(root) : null,
    area,
  };
}

/** @returns an empty text for an unreadable marker */
function markerIn(root: string): string {
  try {
    return readMarker(join(root, MARKER_FILE));
  } catch {
    return '';
  }
}

async function areaState(root: string, names: readonly string[]): Promise<HomeContent['area']> {
  if (!names.some((name) => foldName(name) === AREA_FOLDER)) return 'none';
  const area = join(root, AREA_FOLDER);
  for (const path of [area, ...Object.values(areaIn(area))]) {
    const stats = await lstat(path).catch(() => null);
    if (stats !== null && !stats.isDirectory()) return 'in-the-way';
  }
  return (await lstat(area).catch(() => null)) === null ? 'in-the-way' : 'folder';
}

async function isEmptyArea(area: string): Promise<boolean> {
  for (const path of Object.values(areaIn(area))) {
    if ((await readdir(path).catch(() => [])).length > 0) return false;
  }
  return true;
}
