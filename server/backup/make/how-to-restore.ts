import { join } from 'node:path';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { namesIn } from '../../storage/inspect.ts';
import type { Layout } from '../../storage/layout.ts';
import { MARKER_FILE } from '../../storage/paths/folder-handle.ts';
import { DATABASE } from '../format/manifest.ts';
import { newestBackup } from '../newest.ts';

/**
 * What to do about an unusable database, in sentences, in the order of the steps: a remaining write-ahead log of the old one
 * would be applied to the copy.
 */
export async function howToRestore(layout: Layout): Promise<string> {
  const first =
    `Stop Larder. First move larder.sqlite, larder.sqlite-wal and larder.sqlite-shm, whichever are there, out of ` +
    `${layout.larder}, and keep them: what is left of them would spoil the copy.`;
  const untouched = 'The files in the homes are not touched by this.';
  const backup = await newestBackup(layout);
  if (backup !== null)
    return (
      `${first} Then copy ${join(backup.folder, DATABASE)}, of the backup of ${backup.madeAt}, to ${layout.database}. ${untouched} ` +
      `Or make a whole installation of it elsewhere: ${larderCommand()} restore --from "${backup.folder}" --folder <new folder>`
    );
  const copy = (await copiesBeforeUpgrades(layout)).at(-1);
  const from =
    copy === undefined
      ? 'larder.sqlite from a backup of this folder'
      : `${join(layout.backups, copy)}, or larder.sqlite from a backup of this folder,`;
  return `${first} Then copy ${from} to ${layout.database}. ${untouched} ${withoutBackup(layout)}`;
}

/** The files are usable without the database. */
function withoutBackup({ homes }: Layout): string {
  return (
    `Without any backup: leave this folder as it is, set up a new Larder in another folder, add the people, and copy ` +
    `what lies in the homes in ${homes}, all but the hidden file ${MARKER_FILE} of each, into their new homes.`
  );
}

/** The names of the copies of the database made before upgrades, oldest first. */
export async function copiesBeforeUpgrades({ backups }: Pick<Layout, 'backups'>): Promise<string[]> {
  const names = (await namesIn(backups).catch(() => null)) ?? [];
  return names.filter((name) => name.endsWith('.sqlite'));
}
