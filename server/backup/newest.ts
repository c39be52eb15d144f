import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Layout } from '../storage/layout.ts';
import { realPathToBe } from '../storage/paths/inspect-path.ts';
import { plainStat, readPlain, replaceWith } from '../storage/plain-files.ts';
import { backupsIn } from './format/list-backups.ts';
import { MANIFEST } from './format/manifest.ts';

/** Where the newest backup is, stored beside the database, because a damaged database cannot say which destination was chosen. */
const FILE = 'newest-backup.json';

const newest = z.object({
  folder: z.string(),
  madeAt: z.string(),
  /** The installation's folder: a copy of the folder contains the note too. Missing in older notes. */
  of: z.string().optional(),
});

type Newest = Pick<z.infer<typeof newest>, 'folder' | 'madeAt'>;

export async function rememberNewest(
  { backups, folder }: Pick<Layout, 'backups' | 'folder'>,
  made: Newest,
): Promise<void> {
  await replaceWith(join(backups, FILE), `${JSON.stringify({ ...made, of: await realPathToBe(folder) })}\n`);
}

/** The newest backup that was made of this folder and exists, or else is in the folder itself; null if none is known. */
export async function newestBackup(layout: Pick<Layout, 'backups' | 'folder'>): Promise<Newest | null> {
  return (await remembered(layout)) ?? (await newestIn(layout.backups));
}

async function newestIn(destination: string): Promise<Newest | null> {
  const found = (await backupsIn(destination).catch(() => [])).find(({ manifest }) => manifest !== null);
  return found?.manifest ? { folder: found.folder, madeAt: found.manifest.madeAt } : null;
}

async function remembered({ backups, folder }: Pick<Layout, 'backups' | 'folder'>): Promise<Newest | null> {
  try {
    const made = newest.parse(JSON.parse((await readPlain(join(backups, FILE))).toString('utf8')));
    if (!isOfThis(made, await realPathToBe(folder), await realPathToBe(backups))) return null;
    return (await plainStat(join(made.folder, MANIFEST)))?.kind === 'file' ? made : null;
  } catch {
    return null;
  }
}

/** For a note without it: any backup that is not in the folder of another installation. */
function isOfThis({ of, folder }: z.infer<typeof newest>, own: string, backups: string): boolean {
  if (of !== undefined) return of === own;
  return dirname(folder) === backups || !/[\\/]\.larder[\\/]backups$/.test(dirname(folder));
}
