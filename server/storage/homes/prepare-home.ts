import { randomUUID } from 'node:crypto';
import { chmod, link, lstat, mkdir, open, realpath, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import { nullIfMissing } from '../errors.ts';
import { flushFolder } from '../flush.ts';
import { areaIn } from '../layout.ts';
import { MARKER_FILE } from '../paths/folder-handle.ts';
import { createArea } from './create-area.ts';

/** A folder that cannot become a home. The message is a sentence for the owner. */
export class UnfitFolder extends Error {}

interface PrepareHome {
  readonly root: string;
  /** The same path as resolved by the system, see `realPathToBe`. */
  readonly realRoot: string;
  /** The work area's folder if it is to be created; null for the installation's own, which exists. */
  readonly newArea: string | null;
  /** The work area's folder in either case. */
  readonly area: string;
  /** The id for the marker; null when the marker exists already. */
  readonly newId: string | null;
  /** How many folders at the end of the path may be created. */
  readonly mayMake: number;
  /** The mode of a new folder, see `ACCESS_MODES`. */
  readonly mode: number;
  readonly failPoints: FailPoints;
}

/**
 * Makes a folder a home: creates the folder, its work area and the marker. The marker is stored in the same way as file contents,
 * which tests whether the disk supports all that storage needs. Nothing else in the folder is touched.
 * @returns a function that undoes everything created here; files added meanwhile stay
 * @throws UnfitFolder; nothing is left then
 */
export async function prepareHome(requested: PrepareHome): Promise<{ undo(): Promise<void> }> {
  const { root, newArea, area, newId, failPoints } = requested;
  const undos: (() => Promise<unknown>)[] = [];
  const undo = async () => {
    for (const step of undos.splice(0).reverse())
      await ignoreFailure(step(), 'failed to undo a step of preparing a home');
  };
  try {
    for (const folder of await missingOf(root, requested.mayMake)) {
      await mkdir(folder, { mode: requested.mode });
      // A umask may have removed bits, and some systems do not inherit the group bit.
      await chmod(folder, requested.mode);
      undos.push(() => rmdir(folder));
    }
    // A link created since the path was checked would lead elsewhere.
    if ((await realpath(root)) !== requested.realRoot) throw new UnfitFolder(WAY_CHANGED);
    failPoint(failPoints, 'storage.home.made');
    if (newArea !== null) {
      if ((await lstat(newArea).catch(() => null)) === null) undos.push(() => rmdir(newArea));
      for (const part of Object.values(areaIn(newArea))) {
        if ((await lstat(part).catch(() => null)) === null) undos.push(() => rmdir(part));
      }
      await createArea(newArea);
    }
    if ((await stat(area)).dev !== (await stat(root)).dev) throw new UnfitFolder(OTHER_DISK);
    await probe(requested, undos);
    failPoint(failPoints, 'storage.home.marked');
    if (newId !== null) {
      await flushFolder(root);
      await flushFolder(dirname(root));
    }
    return { undo };
  } catch (error) {
    await undo();
    throw error instanceof UnfitFolder ? error : new UnfitFolder(unfitSentence(error), { cause: error });
  }
}

/** Write, flush, rename, and, for a home without a marker, its name in the home. */
async function probe({ root, area, newId, failPoints }: PrepareHome, undos: (() => Promise<unknown>)[]): Promise<void> {
  const incoming = areaIn(area).incoming;
  const written = join(incoming, randomUUID());
  const marker = join(root, MARKER_FILE);
  try {
    const file = await open(written, 'wx', 0o644);
    try {
      await file.writeFile(`${newId ?? ''}\n`);
      failPoint(failPoints, 'storage.home.probe');
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(written, `${written}.probe`);
    if (newId === null) return;
    // Never replaces a marker that another program has created since.
    try {
      await link(`${written}.probe`, marker);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new UnfitFolder(TAKEN_MEANWHILE);
      if ((error as NodeJS.ErrnoException).code === 'EXDEV') throw error;
      if ((await lstat(marker).catch(() => null)) !== null) throw new UnfitFolder(TAKEN_MEANWHILE);
      await rename(`${written}.probe`, marker);
    }
    undos.push(() => unlink(marker));
  } finally {
    for (const path of [written, `${written}.probe`]) await ignoreFailure(unlink(path), 'failed to remove a probe');
  }
}

/** The missing folders of a path, parents first. @throws UnfitFolder when they are more than may be created */
async function missingOf(root: string, mayMake: number): Promise<string[]> {
  const missing: string[] = [];
  for (let path = root; (await lstat(path).catch(nullIfMissing)) === null; path = dirname(path)) missing.unshift(path);
  if (missing.length > mayMake) throw new UnfitFolder(t('api.homes.parentMissing', { folder: dirname(root) }));
  return missing;
}

const WAY_CHANGED = t('api.homes.folderExchanged');
const TAKEN_MEANWHILE = t('api.homes.folderTaken');
const OTHER_DISK = t('api.homes.otherDisk');

function unfitSentence(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return t('api.homes.notWritable');
    case 'EROFS':
      return t('api.homes.diskReadOnly');
    case 'ENOSPC':
    case 'EDQUOT':
      return t('api.homes.diskFull');
    case 'EXDEV':
      return OTHER_DISK;
    case 'ENAMETOOLONG':
      return t('api.homes.pathTooLongForDisk');
    case 'EEXIST':
      return WAY_CHANGED;
    case 'EINVAL':
    case 'ENOTSUP':
    case 'ENOSYS':
      return t('api.homes.fileSystem');
    default:
      return t('api.homes.cannotUse', { code: code ?? '' });
  }
}
