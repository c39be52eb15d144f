import { mkdir } from 'node:fs/promises';
import { type Area, areaIn } from '../layout.ts';

/** Creates the work area in `folder`, readable only by the process's user. */
export async function createArea(folder: string): Promise<Area> {
  const area = areaIn(folder);
  for (const path of Object.values(area)) await mkdir(path, { recursive: true, mode: 0o700 });
  return area;
}
