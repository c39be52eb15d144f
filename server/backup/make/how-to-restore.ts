import { join } from 'node:path';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
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
  const { larder, database, homes } = layout;
  const backup = await newestBackup(layout);
  if (backup !== null) {
    return t('api.backup.putBack', {
      folder: larder,
      source: join(backup.folder, DATABASE),
      time: backup.madeAt,
      database,
      command: larderCommand(),
      backup: backup.folder,
    });
  }
  // The files are a household's also without anything that was known of them.
  const facts = { folder: larder, database, homes, marker: MARKER_FILE };
  const copy = (await copiesBeforeUpgrades(layout)).at(-1);
  return copy === undefined
    ? t('api.backup.putBackAny', facts)
    : t('api.backup.putBackCopy', { ...facts, source: join(layout.backups, copy) });
}

/** The names of the copies of the database made before upgrades, oldest first. */
export async function copiesBeforeUpgrades({ backups }: Pick<Layout, 'backups'>): Promise<string[]> {
  const names = (await namesIn(backups).catch(() => null)) ?? [];
  return names.filter((name) => name.endsWith('.sqlite'));
}
