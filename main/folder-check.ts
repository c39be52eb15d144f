import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { FolderState } from '../server/control/contract/window.ts';
import { t } from './messages/messages.ts';

/** Files that systems put into every folder. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini', '.directory']);

/** Programs that synchronize folders with a cloud, by their folders. */
const CLOUDS: readonly (readonly [name: string, folder: RegExp])[] = [
  ['OneDrive', /^OneDrive( - .*)?$/i],
  ['iCloud', /^(Mobile Documents|iCloudDrive|iCloud Drive)$/i],
  ['Dropbox', /^Dropbox( \(.*\))?$/i],
  ['Google Drive', /^(Google Drive|GoogleDrive.*)$/i],
];

/** Files that only a backup has all of. */
const IN_BACKUPS = ['manifest.json', 'manifest.sha256', 'larder.sqlite'];

/** Whether the folder contains an installation, as far as can be determined now. */
export async function isInstallation(folder: string): Promise<boolean> {
  return (await codeOf(access(join(folder, '.larder', 'larder.sqlite')))) === null;
}

/** The kind of a folder for a new or moved installation. Changes nothing; never throws. */
export async function inspectFolder(folder: string): Promise<FolderState> {
  const unusable = (problem: string): FolderState => ({ folder, kind: 'unusable', freeBytes: null, problem });
  const look = (kind: FolderState['kind'], freeBytes: number | null): FolderState => ({
    ...{ folder, kind, freeBytes },
    problem: null,
  });
  if (!isAbsolute(folder)) return unusable(t('folder.problem.relative'));
  const cloud = CLOUDS.find(([, pattern]) => folder.split(/[\\/]/).some((name) => pattern.test(name)));
  if (cloud !== undefined) return unusable(t('folder.problem.inCloud', { name: cloud[0] }));
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code !== 'ENOENT') return unusable(t('folder.problem.unreadable', { code: found.code ?? found.message }));
    const parent = await closestParent(folder);
    const problem = await codeOf(access(parent, constants.W_OK | constants.X_OK));
    return problem === null
      ? look('new', await freeBytes(parent))
      : unusable(t('folder.problem.notWritable', { folder: parent }));
  }
  if (!found.isDirectory()) return unusable(t('folder.problem.notFolder'));
  if ((await codeOf(access(folder, constants.R_OK | constants.W_OK | constants.X_OK))) !== null) {
    return unusable(t('folder.problem.notWritable', { folder }));
  }
  const free = await freeBytes(folder);
  if (await isInstallation(folder)) return look('larder', free);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => error);
  if (names instanceof Error) return unusable(t('folder.problem.unreadable', { code: names.code ?? names.message }));
  if (IN_BACKUPS.every((name) => names.includes(name))) return unusable(t('folder.problem.isBackup'));
  return look(names.every((name) => LITTER.has(name)) ? 'empty' : 'files', free);
}

async function closestParent(folder: string): Promise<string> {
  const parent = dirname(folder);
  if (parent === folder || (await codeOf(access(parent))) === null) return parent;
  return closestParent(parent);
}

async function freeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk === null ? null : disk.bavail * disk.bsize;
}

async function codeOf(attempt: Promise<unknown>): Promise<string | null> {
  return attempt.then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}
