import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import type { Database } from '../../database/database.ts';
import type { BackupConfirmations, StoredFile } from '../../listing/receipt.ts';
import { t } from '../../messages/messages.ts';
import { installationId } from '../../settings/installation.ts';
import type { Layout } from '../../storage/layout.ts';
import { plainStat } from '../../storage/plain-files.ts';
import type { DisksUnder } from '../../storage/underlying-disks.ts';
import { createChecks } from '../checks.ts';
import { FILES, readManifest } from '../format/manifest.ts';
import { contentKey } from './content-key.ts';
import { areApart } from './other-disk.ts';

/** The backup whose files are recorded, as it is now. */
interface Confirmed {
  readonly run: number;
  /** The copy of the home's files in it. */
  readonly files: string;
  readonly disk: string;
}

/**
 * Confirms that files are in the newest backup on another physical disk. Nothing is confirmed while the disk is not connected, nor
 * once the backup was removed, a check found damage in it, or its copy of the file is gone.
 */
export function createConfirmations({
  database,
  layout,
  disksUnder,
}: {
  readonly database: Pick<Database, 'get' | 'allAside' | 'write'>;
  readonly layout: Layout;
  readonly disksUnder: DisksUnder;
}): BackupConfirmations {
  const checks = createChecks(layout);

  async function confirmed(home: Home): Promise<Confirmed | null> {
    const recorded = await database.get<{ run: number; folder: string; list: string }>(
      'SELECT run, folder, list FROM backed_up_run WHERE folder IS NOT NULL AND list IS NOT NULL',
    );
    if (recorded === undefined) return null;
    const { run, folder, list } = recorded;
    const manifest = await readManifest(folder).catch(() => null);
    if (manifest === null || manifest.files?.list.sha256 !== list) return null;
    if (manifest.installation !== (await installationId(database))) return null;
    const check = (await checks.of([folder])).get(folder);
    if (check !== undefined && check.problems.length > 0) return null;
    const copied = manifest.files.homes.find(({ id, state }) => id === home.id && state === 'copied');
    if (copied === undefined || copied.folder === null) return null;
    const disks = await areApart(disksUnder, folder, home.homeRoot.root);
    if (disks === null) return null;
    const files = join(folder, FILES, ...copied.folder.split('/'));
    return { run, files, disk: disks.name === '' ? t('api.backup.systemDisk') : disks.name };
  }

  return {
    async of(home, files) {
      const backup = files.length === 0 ? null : await confirmed(home);
      if (backup === null) return files.map(() => null);
      const keys = files.map(({ segments, sha256 }) => contentKey(home.id, segments, sha256).toString('hex'));
      const rows = await database.allAside<{ place: number; since: number }>(
        `SELECT requested.key AS place, backed_up.since FROM json_each(?) AS requested CROSS JOIN backed_up
           ON backed_up.key = unhex(requested.value) WHERE backed_up.run = ?`,
        [JSON.stringify(keys), backup.run],
      );
      const since = new Map(rows.map((row) => [row.place, row.since]));
      const found: ({ disk: string; since: number } | null)[] = [];
      for (const [place, file] of files.entries()) {
        const first = since.get(place);
        const isThere = first !== undefined && (await hasCopy(backup, file));
        found.push(isThere ? { disk: backup.disk, since: first } : null);
      }
      return found;
    },
  };
}

async function hasCopy({ files }: Confirmed, { segments, size }: StoredFile): Promise<boolean> {
  const copy = await plainStat(join(files, ...segments)).catch(() => null);
  return copy?.kind === 'file' && copy.size === size;
}
