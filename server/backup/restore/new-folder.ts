import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import { FolderProblem } from '../../lib/errors/folder-problem.ts';
import { humanSize } from '../../listing/human.ts';
import { t } from '../../messages/messages.ts';
import { isInside, isSame } from '../../people/homes/home-path.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { diskSpace, folderState, namesIn } from '../../storage/inspect.ts';
import { RESTORING, requireLocalDisk } from '../../storage/installation/data-folder.ts';
import { realPathToBe } from '../../storage/paths/inspect-path.ts';
import {
  flushNames,
  makeFolders,
  nearestThere,
  OWNER_ONLY,
  plainStat,
  removeEmptyFolder,
} from '../../storage/plain-files.ts';
import { BackupProblem, writeProblem } from '../format/problem.ts';

/**
 * Creates the folder for a restore, and removes everything again if the work fails.
 * @param bytes needed @param work adds to `made` the paths to remove if it fails
 * @throws BackupProblem, FolderProblem
 */
export async function inNewFolder<T>(folder: string, bytes: number, work: (made: string[]) => Promise<T>): Promise<T> {
  const wasThere = (await plainStat(folder)) !== null;
  const made: string[] = [];
  const before = await nearestThere(folder);
  try {
    await requireRoom(folder, bytes);
    await makeFolders(folder, OWNER_ONLY);
    await requireLocalDisk(folder);
    await flushNames(folder, before);
    return await work(made);
  } catch (error) {
    for (const path of made) await ignoreFailure(eraseStored(path), 'failed to remove what a restoration has made');
    if (!wasThere) await ignoreFailure(removeEmptyFolder(folder), 'failed to remove an empty folder of a restoration');
    throw error instanceof FolderProblem ? error : writeProblem(error, folder);
  }
}

/** Files restored into a backup would change it, and would be removed with it. */
export async function requireOutside(target: string, from: string): Promise<void> {
  const [inner, outer] = [await realPathToBe(target), await realPathToBe(from)];
  if (isInside(inner, outer) || isSame(inner, outer))
    throw new BackupProblem(t('api.restore.inBackup', { path: target }));
}

export async function requireEmpty(folder: string): Promise<void> {
  const state = await folderState(folder);
  if (state === 'missing') return;
  if (state === 'no-folder') throw new FolderProblem(t('api.backup.notFolder', { path: folder }));
  if (state !== 'usable') throw new FolderProblem(t('api.restore.notWritable', { path: folder }));
  const names = (await namesIn(folder)) ?? [];
  // It contains only the remains of an interrupted restore, which begins again.
  if (names.every((name) => name === RESTORING)) return;
  const isInstallation = names.includes('.larder');
  throw new FolderProblem(
    isInstallation ? t('api.restore.hasInstallation', { folder }) : t('api.restore.notEmpty', { folder }),
  );
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { free } = await diskSpace(await nearestThere(folder));
  if (free > bytes) return;
  throw new BackupProblem(t('api.restore.noSpace', { folder, free: humanSize(free), needed: humanSize(bytes) }));
}
