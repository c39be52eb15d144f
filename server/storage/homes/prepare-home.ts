import { randomUUID } from 'node:crypto';
import { chmod, link, lstat, mkdir, open, realpath, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import { flushFolder } from '../flush.ts';
import { areaIn } from '../layout.ts';
import { MARKER_FILE } from '../paths/folder-handle.ts';
import { createArea } from './create-area.ts';

/** A folder in which no home can be. The message is a sentence for the owner. */
export class UnfitFolder extends Error {}

export interface PrepareHome {
  readonly root: string;
  /** The same as the system says it, see `realPathToBe`. */
  readonly realRoot: string;
  /** The folder of the work area; null when that is the appliance's own, which is there. */
  readonly newArea: string | null;
  /** The work area's folder in either case. */
  readonly area: string;
  /** The id for the marker; null when the marker is there already. */
  readonly newId: string | null;
  /** How many folders at the end of the path may be made. */
  readonly mayMake: number;
  /** Access rights of a folder that is made, see `ACCESS_MODES`. */
  readonly mode: number;
  readonly failPoints: FailPoints;
}

/**
 * Makes a folder ready to be a home: the folder, its work area, the marker. On the way the disk shows that it can do what
 * storage needs: the marker takes the way that every content takes. Nothing else in the folder is touched.
 * @returns what takes it back as far as it was made here; files that came meanwhile stay
 * @throws UnfitFolder; nothing is left then
 */
export async function prepareHome(wanted: PrepareHome): Promise<{ undo(): Promise<void> }> {
  const { root, newArea, area, newId, failPoints } = wanted;
  const undos: (() => Promise<unknown>)[] = [];
  const undo = async () => {
    for (const step of undos.splice(0).reverse()) await step().catch(() => undefined);
  };
  try {
    for (const folder of await missingOf(root, wanted.mayMake)) {
      await mkdir(folder, { mode: wanted.mode });
      // A umask, and systems that pass on no bit for groups, may have taken something from it.
      await chmod(folder, wanted.mode);
      undos.push(() => rmdir(folder));
    }
    // A link put there since the path was looked at would lead elsewhere.
    if ((await realpath(root)) !== wanted.realRoot) throw new UnfitFolder(WAY_CHANGED);
    failPoint(failPoints, 'storage.home.made');
    if (newArea !== null) {
      if ((await lstat(newArea).catch(() => null)) === null) undos.push(() => rmdir(newArea));
      for (const part of Object.values(areaIn(newArea))) {
        if ((await lstat(part).catch(() => null)) === null) undos.push(() => rmdir(part));
      }
      await createArea(newArea);
    }
    if ((await stat(area)).dev !== (await stat(root)).dev) throw new UnfitFolder(OTHER_DISK);
    await probe(wanted, undos);
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

/** Write, flush, rename, and, for a home that has no marker yet, the name in the home. */
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
    // Never over a marker that somebody else has put there since.
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
    for (const path of [written, `${written}.probe`]) await unlink(path).catch(() => undefined);
  }
}

/** The folders of a path that are not there, the upper ones first. @throws UnfitFolder when they are more than may be made */
async function missingOf(root: string, mayMake: number): Promise<string[]> {
  const missing: string[] = [];
  for (let path = root; (await lstat(path).catch(absent)) === null; path = dirname(path)) missing.unshift(path);
  if (missing.length > mayMake) throw new UnfitFolder(t('api.homes.parentMissing', { folder: dirname(root) }));
  return missing;
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
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
