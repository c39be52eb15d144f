import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderProblem } from '../../lib/errors/folder-problem.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { createArea } from '../homes/create-area.ts';
import { isThere } from '../inspect.ts';
import type { Layout } from '../layout.ts';

/** An existing installation is missing. */
export class FolderMissing extends FolderProblem {
  /** Whether nothing is there, as opposed to a folder that cannot be read. */
  get isAway(): boolean {
    const { code } = (this.cause ?? {}) as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
}

/** @throws FolderMissing when no installation is in the folder */
export async function requireInstallation({ database, tls }: Layout): Promise<void> {
  try {
    // An installation without its database counts as existing: the start explains what to do.
    await access(database).catch((error) => access(join(tls, 'ca.crt')).catch(() => Promise.reject(error)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isAway = code === 'ENOENT' || code === 'ENOTDIR';
    const what = isAway ? t('api.storage.folderMissing') : t('api.storage.folderUnreadable', { code: code ?? '' });
    throw new FolderMissing(what, { cause: error });
  }
}

/** Types of Linux file systems (statfs) on other machines: SQLite's locks and shared memory do not work there. */
const NETWORK_TYPES = new Map<number, string>([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/** @throws FolderProblem when a folder is on a network file system */
export async function requireLocalDisk(folder: string): Promise<void> {
  const type = process.platform === 'win32' ? undefined : NETWORK_TYPES.get((await statfs(folder)).type >>> 0);
  if (type !== undefined || folder.startsWith('\\\\')) {
    const message =
      type === undefined
        ? t('api.storage.networkDisk', { folder })
        : t('api.storage.networkDiskType', { folder, type });
    throw new FolderProblem(message);
  }
}

/** The staging folder of a restore, inside its destination. */
export const RESTORING = '.larder-restoring';

/** Files that only a backup has all of. */
const IN_BACKUPS = ['manifest.json', 'manifest.sha256', 'larder.sqlite'];

/**
 * Why nothing may start in a folder, as a sentence that says what to do: it contains an interrupted restore, or it is a backup,
 * so that an installation in it would be removed with the backup. Null for any other folder.
 * @throws the system's error when the folder cannot be read
 */
export async function neverToStartIn({ folder, larder }: Layout): Promise<string | null> {
  if (await isThere(larder)) return null;
  const inBackup = await Promise.all(IN_BACKUPS.map((name) => isThere(join(folder, name))));
  if (inBackup.every(Boolean)) return t('api.storage.isBackup', { folder, command: larderCommand() });
  if (!(await isThere(join(folder, RESTORING)))) return null;
  return t('api.storage.restoreInterrupted', { folder });
}

/**
 * Creates what is missing of the data folder.
 * @returns whether it is writable; an installation on a read-only disk stays as it is
 * @throws FolderProblem when it is on a network file system, or cannot be created or written
 */
export async function prepareFolder(layout: Layout): Promise<boolean> {
  try {
    await mkdir(layout.folder, { recursive: true, mode: 0o700 });
    await access(layout.folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS' && (await isThere(layout.database))) return false;
    throw new FolderProblem(t('api.storage.notWritable', { folder: layout.folder, code: code ?? '' }), {
      cause: error,
    });
  }
  await requireLocalDisk(layout.folder);
  const never = await neverToStartIn(layout);
  if (never !== null) throw new FolderProblem(never);
  await mkdir(layout.larder, { recursive: true, mode: 0o700 });
  for (const folder of [layout.logs, layout.backups]) await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(layout.homes, { recursive: true, mode: 0o700 });
  await createArea(layout.larder);
  return true;
}
