import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from '../layout.ts';

/**
 * Which other users of this machine can access people's files: none, the group of its folder (for Samba and other programs that
 * share the files), or everyone, to read. Larder's own folder `.larder` stays private.
 */
export type HomeAccess = 'owner' | 'group' | 'everyone';

interface Modes {
  /** Mode of the installation's folder and of `homes`, which everyone passes through on the way to a home. */
  readonly way: number;
  /** Mode of a home. New files in a group's home belong to the group. */
  readonly home: number;
}

export const ACCESS_MODES: Readonly<Record<HomeAccess, Modes>> = {
  owner: { way: 0o700, home: 0o700 },
  group: { way: 0o750, home: 0o2770 },
  everyone: { way: 0o755, home: 0o755 },
};

/** Every bit that `chmod` sets. */
const MODE_BITS = 0o7777;

/**
 * Sets the chosen access on the folders of an installation, at every start: those of an older version were readable by everyone.
 * Homes elsewhere are the owner's own folders and stay as they are.
 * @returns the folders whose access was changed; folders of another user, and those on disks without permissions, stay as they
 * are
 */
export async function applyHomeAccess({ folder, homes }: Layout, access: HomeAccess): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const { way, home } = ACCESS_MODES[access];
  const entries = await readdir(homes, { withFileTypes: true }).catch(() => []);
  const inside = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(homes, name));
  const changed: string[] = [];
  for (const [path, mode] of [[folder, way], [homes, way], ...inside.map((one) => [one, home] as const)] as const) {
    if (await setMode(path, mode)) changed.push(path);
  }
  return changed;
}

async function setMode(path: string, mode: number): Promise<boolean> {
  try {
    const stats = await lstat(path);
    // Never through a link. If it fails, Larder's folder must not be opened to others either.
    if (!stats.isDirectory() || (stats.mode & MODE_BITS) === mode) return false;
    await chmod(path, mode);
    return true;
  } catch {
    return false;
  }
}
