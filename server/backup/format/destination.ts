import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import { t } from '../../messages/messages.ts';
import { isInside, isSame, isSystemPlace } from '../../people/homes/home-path.ts';
import { flushFolder } from '../../storage/flush.ts';
import { folderState } from '../../storage/inspect.ts';
import type { Layout } from '../../storage/layout.ts';
import { inspectPath, realPathToBe } from '../../storage/paths/inspect-path.ts';
import { makePrivateFolder, plainStat, writeNew } from '../../storage/plain-files.ts';
import { BackupProblem, writeProblem } from './problem.ts';

/**
 * Lies in a place that the owner chose. Without it the place is away: the disk of it is not connected, and what stands there is
 * the empty folder that it belongs to.
 */
const MARKER = '.larder-backups';

/** Where backups go. @param chosen the setting; empty for the appliance's own folder */
export function placeOf(layout: Pick<Layout, 'backups'>, chosen: string): string {
  return chosen === '' ? layout.backups : chosen;
}

/**
 * Makes a place ready that the owner chooses: its last folder is made when it is missing, and it is marked.
 * @throws FieldProblem `backupPlace` with a sentence
 */
export async function prepareDestination(
  place: string,
  { layout, homes }: { layout: Layout; homes: readonly Pick<HomeRecord, 'place'>[] },
): Promise<void> {
  const refused = (sentence: string) => new FieldProblem('backupPlace', sentence);
  const complaint = await unfitPlace(place, { layout, homes });
  if (complaint !== null) throw refused(complaint);
  try {
    const state = await folderState(place);
    if (state === 'missing') await makePrivateFolder(place);
    else if (state === 'no-folder') throw refused(t('api.backup.notFolder', { path: place }));
    const marker = join(place, MARKER);
    if ((await plainStat(marker)) === null) await writeNew(marker, 'Backups of Larder are kept here.\n', 0o644);
    await flushFolder(place);
    if (state === 'missing') await flushFolder(dirname(place));
  } catch (error) {
    if (error instanceof FieldProblem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const isAway = code === 'ENOENT' || code === 'ENOTDIR';
    throw refused(isAway ? t('api.backup.noFolder', { path: place }) : writeProblem(error, place).message);
  }
}

/**
 * Answers whether a place is a folder or lies in it. Folders are compared by what they are, not by their names alone: one disk can
 * be there under two.
 * @param place a path, of which nothing has to be there yet
 */
export async function whereIs(place: string): Promise<(folder: string) => Promise<boolean>> {
  const real = await realPathToBe(place).catch(() => place);
  const { ids } = await inspectPath(real);
  return async (folder) => {
    if ([place, real].some((path) => isInside(path, folder) || isSame(path, folder))) return true;
    const look = await inspectPath(await realPathToBe(folder).catch(() => folder));
    const id = look.missing === 0 && look.obstacle === null ? look.ids.at(-1) : undefined;
    return id !== undefined && ids.includes(id);
  };
}

/** Why no backup may lie at a place, as a sentence, or null. */
async function unfitPlace(
  place: string,
  { layout, homes }: { layout: Layout; homes: readonly Pick<HomeRecord, 'place'>[] },
): Promise<string | null> {
  if (isSystemPlace(place, homedir())) return t('api.backup.systemFolder');
  const isIn = await whereIs(place);
  for (const home of homes) {
    if (await isIn(home.place.root)) return t('api.backup.inHome', { path: place });
  }
  if (await isIn(layout.homes)) return t('api.backup.inHomes');
  if ((await isIn(layout.larder)) && !(await isIn(layout.backups)))
    return t('api.backup.inData', { folder: layout.larder, own: layout.backups });
  return null;
}

/**
 * The place of a backup that begins.
 * @throws BackupProblem when it is away, or cannot be written to
 */
export async function requireDestination(
  chosen: string,
  parts: { layout: Layout; homes: readonly Pick<HomeRecord, 'place'>[] },
): Promise<string> {
  const place = placeOf(parts.layout, chosen);
  if (!(await isDestinationPresent(parts.layout, chosen))) {
    throw new BackupProblem(t('api.backup.folderUnknown', { folder: place, name: basename(place) }));
  }
  const state = await folderState(place);
  if (state === 'denied') throw writeProblem(Object.assign(new Error(), { code: 'EACCES' }), place);
  if (state === 'read-only') throw writeProblem(Object.assign(new Error(), { code: 'EROFS' }), place);
  if (state !== 'usable') throw writeProblem(Object.assign(new Error(), { code: 'ENOENT' }), place);
  // A home may have come since it was chosen.
  const complaint = chosen === '' ? null : await unfitPlace(place, parts);
  if (complaint !== null) throw new BackupProblem(complaint);
  return place;
}

/** Whether the disk of the place is there. */
export async function isDestinationPresent(layout: Pick<Layout, 'backups'>, chosen: string): Promise<boolean> {
  const path = chosen === '' ? layout.backups : join(chosen, MARKER);
  return (await plainStat(path).catch(() => null)) !== null;
}
