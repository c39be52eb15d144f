import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import { FolderProblem } from '../../lib/errors/folder-problem.ts';
import { t } from '../../messages/messages.ts';
import { isSystemFolder } from '../../people/homes/home-path.ts';
import { destinationOf, whereIs } from '../format/destination.ts';
import { BackupProblem } from '../format/problem.ts';
import type { JobProgress } from '../job-progress.ts';
import type { BackupParts } from '../make/parts.ts';
import { type Restored, restoreBackup } from './restore.ts';

export interface RestoreHere {
  /** The new installation's folder: absolute, empty or missing. */
  readonly folder: string;
  readonly passphrase?: string | undefined;
  /** Restores without the keys of the backup. */
  readonly newAuthority: boolean;
}

/**
 * Restores a backup beside the running installation, which is not affected: for finding a file, or testing the backup.
 * @param from the folder of the backup
 * @throws FieldProblem `folder` or `passphrase`, BackupProblem; nothing is left then
 */
export async function restoreHere(
  from: string,
  { folder, passphrase, newAuthority }: RestoreHere,
  { job, ...parts }: BackupParts & { readonly job: JobProgress },
): Promise<Restored> {
  const complaint = await unfitFolder(folder, parts);
  if (complaint !== null) throw new FieldProblem('folder', complaint);
  const { extraNames, clock, failPoints } = parts;
  const always = { homesTo: null, emptyHomes: false, historyFollows: false };
  const requested = { from, folder, passphrase, newAuthority, extraNames, ...always };
  try {
    return await restoreBackup(requested, { job, clock, failPoints });
  } catch (error) {
    if (error instanceof FolderProblem) throw new FieldProblem('folder', error.message);
    if (error instanceof BackupProblem && error.field !== null) throw new FieldProblem(error.field, error.message);
    throw error;
  }
}

/** Why nothing may be restored into a folder, as a sentence, or null. */
async function unfitFolder(folder: string, { layout, settings, homes }: BackupParts): Promise<string | null> {
  if (!isAbsolute(folder) || /\p{Cc}/u.test(folder)) return t('api.settings.folder');
  if (isSystemFolder(folder, homedir())) return t('api.backup.systemFolder');
  const isIn = await whereIs(folder);
  if (await isIn(destinationOf(layout, settings.values.backupFolder)))
    return t('api.restore.inBackups', { path: folder });
  if (await isIn(layout.folder)) return t('api.restore.inData', { path: folder });
  for (const home of await homes.records()) {
    if (await isIn(home.homeRoot.root)) return t('api.restore.inHome', { path: folder });
  }
  return null;
}
