import { join } from 'node:path';
import { z } from 'zod';
import type { Layout } from '../storage/layout.ts';
import { plainStat, readPlain, replaceWith } from '../storage/plain-files.ts';
import { backupsIn } from './list.ts';
import { MANIFEST } from './manifest.ts';

/**
 * Where the newest backup is, beside the database: whoever finds the database damaged cannot ask it what place was chosen.
 */
const FILE = 'newest-backup.json';

const newest = z.object({ folder: z.string(), madeAt: z.string() });

export async function rememberNewest(
  { backups }: Pick<Layout, 'backups'>,
  made: z.infer<typeof newest>,
): Promise<void> {
  await replaceWith(join(backups, FILE), `${JSON.stringify(made)}\n`);
}

/** The newest backup that was made and is there, or else lies in the folder itself; null when none is known. */
export async function newestBackup({ backups }: Pick<Layout, 'backups'>): Promise<z.infer<typeof newest> | null> {
  return (await remembered(backups)) ?? (await newestIn(backups));
}

async function newestIn(place: string): Promise<z.infer<typeof newest> | null> {
  const found = (await backupsIn(place).catch(() => [])).find(({ manifest }) => manifest !== null);
  return found?.manifest ? { folder: found.folder, madeAt: found.manifest.madeAt } : null;
}

async function remembered(backups: string): Promise<z.infer<typeof newest> | null> {
  try {
    const made = newest.parse(JSON.parse((await readPlain(join(backups, FILE))).toString('utf8')));
    return (await plainStat(join(made.folder, MANIFEST)))?.kind === 'file' ? made : null;
  } catch {
    return null;
  }
}
