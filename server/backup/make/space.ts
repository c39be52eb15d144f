import { type TotalUse, totalUse } from '../../catalogue/storage-use.ts';
import type { Database } from '../../database/database.ts';
import { humanSize } from '../../listing/human.ts';
import { t } from '../../messages/messages.ts';
import { type DiskSpace, diskSpace } from '../../storage/inspect.ts';
import type { Layout } from '../../storage/layout.ts';
import { plainStat } from '../../storage/plain-files.ts';
import { madeAt } from '../format/list-backups.ts';
import type { Manifest } from '../format/manifest.ts';
import { BackupProblem } from '../format/problem.ts';

/** What a backup consists of. Bytes. */
export interface BackupSize {
  readonly files: number;
  /** Older versions and the trash. */
  readonly history: number;
  readonly database: number;
}

interface Sized {
  readonly layout: Pick<Layout, 'database' | 'larder'>;
  readonly database: Pick<Database, 'all'>;
}

/** What backups of the present state would consist of. */
export async function backupSize({ layout, database }: Sized): Promise<BackupSize> {
  const { present, past } = await totalUse(database, 0);
  return { files: present, history: past, database: await databaseSize(layout) };
}

async function databaseSize({ database }: Sized['layout']): Promise<number> {
  const found = await plainStat(database);
  return found?.kind === 'file' ? found.size : 0;
}

interface SpaceOptions {
  readonly files: boolean;
  readonly history: boolean;
  /** An earlier backup at the destination, to share unchanged contents with. */
  readonly previous: Manifest | null;
}

/** Larder itself needs room on its disk, also while a backup is being made. */
const RESERVE = 1024 ** 3;
/** On small disks, this part of them. */
const RESERVED_PART = 0.02;

/**
 * Checks before any copying whether a backup can fit: a full disk would stop Larder itself. What changed since an earlier backup is
 * known only roughly, so a backup that passes may still run out of space; it is then removed.
 * @throws BackupProblem
 */
export async function requireSpace(destination: string, requested: SpaceOptions, sized: Sized): Promise<void> {
  const space = await diskSpace(destination);
  const needed = (await neededFor(requested, sized)) + (await reserveOn(space, sized.layout));
  if (needed <= space.free) return;
  const words = { path: destination, needed: humanSize(needed), free: humanSize(space.free) };
  const message = requested.files ? t('api.backup.tooLarge', words) : t('api.backup.tooLargeAnyway', words);
  throw new BackupProblem(message, { isOutOfSpace: true });
}

/** At least this much is written. */
async function neededFor({ files, history, previous }: SpaceOptions, { layout, database }: Sized): Promise<number> {
  const own = await databaseSize(layout);
  if (!files) return own;
  const since = previous === null ? 0 : madeAt(previous);
  const use = await totalUse(database, since);
  const all = use.present + (history ? use.past : 0);
  const shared = previous?.files?.bytes ?? 0;
  return own + Math.max(all - shared, previous === null ? all : changedIn(use));
}

function changedIn({ changed, present }: TotalUse): number {
  return Math.min(changed, present);
}

async function reserveOn({ device, size }: DiskSpace, { larder }: Sized['layout']): Promise<number> {
  const own = await diskSpace(larder);
  return own.device === device ? Math.min(RESERVE, Math.round(size * RESERVED_PART)) : 0;
}
