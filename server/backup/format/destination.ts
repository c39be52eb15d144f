import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import { t } from '../../messages/messages.ts';
import { isInside, isSame, isSystemFolder } from '../../people/homes/home-path.ts';
import { flushFolder } from '../../storage/flush.ts';
import { folderState } from '../../storage/inspect.ts';
import type { Layout } from '../../storage/layout.ts';
import { inspectPath, realPathToBe } from '../../storage/paths/inspect-path.ts';
import { makePrivateFolder, plainStat, writeNew } from '../../storage/plain-files.ts';
import { BackupProblem, writeProblem } from './problem.ts';

/**
 * Marks a destination that the owner chose. Without it the destination counts as unavailable: its disk is not mounted, and the
 * folder is the empty mount point.
 */
const MARKER = '.larder-backups';

/** Where backups are stored. @param chosen the setting; empty for the default folder */
export function destinationOf(layout: Pick<Layout, 'backups'>, chosen: string): string {
  return chosen === '' ? layout.backups : chosen;
}

/**
 * Prepares a destination chosen by the owner: creates its last folder if missing, and marks it.
 * @throws FieldProblem `backupFolder` with a sentence
 */
export async function prepareDestination(
  destination: string,
  { layout, homes }: { layout: Layout; homes: readonly Pick<HomeRecord, 'homeRoot'>[] },
): Promise<void> {
  const refused = (sentence: string) => new FieldProblem('backupFolder', sentence);
  const complaint = await unfitPlace(destination, { layout, homes });
  if (complaint !== null) throw refused(complaint);
  try {
    const state = await folderState(destination);
    if (state === 'missing') await makePrivateFolder(destination);
    else if (state === 'no-folder') throw refused(t('api.backup.notFolder', { path: destination }));
    const marker = join(destination, MARKER);
    if ((await plainStat(marker)) === null) await writeNew(marker, 'Backups of Larder are kept here.\n', 0o644);
    await flushFolder(destination);
    if (state === 'missing') await flushFolder(dirname(destination));
  } catch (error) {
    if (error instanceof FieldProblem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const isAway = code === 'ENOENT' || code === 'ENOTDIR';
    throw refused(isAway ? t('api.backup.noFolder', { path: destination }) : writeProblem(error, destination).message);
  }
}

/**
 * Returns a function that tells whether a path is a folder or below it. Compares folders by identity, too, because one disk can
 * be mounted twice.
 * @param destination a path, none of which has to exist
 */
export async function whereIs(destination: string): Promise<(folder: string) => Promise<boolean>> {
  const real = await realPathToBe(destination).catch(() => destination);
  const { ids } = await inspectPath(real);
  return async (folder) => {
    if ([destination, real].some((path) => isInside(path, folder) || isSame(path, folder))) return true;
    const look = await inspectPath(await realPathToBe(folder).catch(() => folder));
    const id = look.missing === 0 && look.obstacle === null ? look.ids.at(-1) : undefined;
    return id !== undefined && ids.includes(id);
  };
}

/** Why backups may not be stored at a path, as a sentence, or null. */
async function unfitPlace(
  destination: string,
  { layout, homes }: { layout: Layout; homes: readonly Pick<HomeRecord, 'homeRoot'>[] },
): Promise<string | null> {
  if (isSystemFolder(destination, homedir())) return t('api.backup.systemFolder');
  const isIn = await whereIs(destination);
  for (const home of homes) {
    if (await isIn(home.homeRoot.root)) return t('api.backup.inHome', { path: destination });
  }
  if (await isIn(layout.homes)) return t('api.backup.inHomes');
  if ((await isIn(layout.larder)) && !(await isIn(layout.backups)))
    return t('api.backup.inData', { folder: layout.larder, own: layout.backups });
  return null;
}

/**
 * The destination of a new backup.
 * @throws BackupProblem when it is unavailable or not writable
 */
export async function requireDestination(
  chosen: string,
  parts: { layout: Layout; homes: readonly Pick<HomeRecord, 'homeRoot'>[] },
): Promise<string> {
  const destination = destinationOf(parts.layout, chosen);
  if (!(await isDestinationPresent(parts.layout, chosen))) {
    throw new BackupProblem(t('api.backup.folderUnknown', { folder: destination, name: basename(destination) }));
  }
  const state = await folderState(destination);
  if (state === 'denied') throw writeProblem(Object.assign(new Error(), { code: 'EACCES' }), destination);
  if (state === 'read-only') throw writeProblem(Object.assign(new Error(), { code: 'EROFS' }), destination);
  if (state !== 'usable') throw writeProblem(Object.assign(new Error(), { code: 'ENOENT' }), destination);
  // A home may have been created there since.
  const complaint = chosen === '' ? null : await unfitPlace(destination, parts);
  if (complaint !== null) throw new BackupProblem(complaint);
  return destination;
}

/** Whether the destination's disk is available. */
export async function isDestinationPresent(layout: Pick<Layout, 'backups'>, chosen: string): Promise<boolean> {
  const path = chosen === '' ? layout.backups : join(chosen, MARKER);
  return (await plainStat(path).catch(() => null)) !== null;
}
