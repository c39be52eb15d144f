import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import { invalidNameText } from '../../files/create-folder.ts';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import { foldName, newNameProblem } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import type { Layout } from '../../storage/layout.ts';
import { inspectPath, type PathInspection, realPathToBe } from '../../storage/paths/inspect-path.ts';
import { isInside, isSame, isSystemPlace } from './home-path.ts';

/** Who asks: an administrator through the API sees less of this machine than its owner, and may choose less. */
export type AskedBy = 'api' | 'owner';

export interface PlaceRules {
  readonly layout: Pick<Layout, 'folder' | 'homes'>;
  /** Folders where administrators may make homes. */
  readonly allowed: readonly string[];
  readonly homes: readonly HomeRecord[];
  readonly by: AskedBy;
}

/** What may be done at a place that the rules allow. */
export interface AllowedPlace {
  readonly path: string;
  readonly isOutside: boolean;
  /** The orphaned home whose place it is. */
  readonly orphan: HomeRecord | null;
  /** How many folders at its end may be made. */
  readonly mayMake: number;
}

/**
 * Holds a path against all that forbids it to be a home. Folders are compared by what they are, not only by what they are
 * called: a link or a second mount leads to the same one.
 * @param path as `readHomePath` gave it
 * @throws FieldProblem `homefolder`
 */
export async function checkPlace(path: string, { layout, allowed, homes, by }: PlaceRules): Promise<AllowedPlace> {
  const isOutside = !isInside(path, layout.folder) && !isSame(path, layout.folder);
  const allowedIn = allowed.find((place) => isInside(path, place));
  // Before anything is looked at: to an administrator the rest of this machine is not there.
  if (by === 'api' && isOutside && allowedIn === undefined) throw refused(NOT_ALLOWED);
  if (by === 'api' && !isOutside && !isInside(path, layout.homes)) throw refused(NOT_ALLOWED);
  if (isSystemPlace(path, homedir())) throw refused(t('api.homes.systemFolder'));
  if (!isOutside) checkOwnFolder(path, layout);

  const folder = await realPathToBe(layout.folder);
  // The way to the appliance's folder may be a link of the owner's; from there on it is Larder's.
  const lookAt = async (place: string): Promise<Looked> => {
    const real = isInside(place, layout.folder) ? join(folder, relative(layout.folder, place)) : place;
    return { path: place, look: await inspectPath(real) };
  };
  const own = await lookAt(path);
  refuseObstacle(own.look, by);
  if (isOutside) refuseOverlap(own, { path: folder, look: await inspectPath(folder) }, by, OVERLAPS_FOLDER);
  let orphan: HomeRecord | null = null;
  for (const home of homes) {
    const other = await lookAt(home.place.root);
    if (isItself(own, other)) {
      // Only the owner can give a former home to somebody, and says so by adopting it.
      if (by === 'api' || home.accountId !== null || home.trashed !== null) throw refused(IN_USE);
      orphan = home;
    } else refuseOverlap(own, other, by, IN_USE);
  }
  const { missing } = own.look;
  if (missing > 0) checkNewNames(path, missing);
  const mayMake = allowedIn !== undefined && (await isThere(allowedIn)) ? missing : 1;
  if (missing > mayMake)
    throw refused(by === 'api' ? NOT_ALLOWED : t('api.homes.parentMissing', { folder: dirname(path) }));
  return { path, isOutside, orphan, mayMake };
}

function checkOwnFolder(path: string, { homes }: PlaceRules['layout']): void {
  if (!isSame(dirname(path), homes)) {
    throw refused(t('api.homes.nestedFolder'));
  }
}

interface Looked {
  readonly path: string;
  readonly look: PathInspection;
}

function isItself(one: Looked, other: Looked): boolean {
  if (isSame(one.path, other.path)) return true;
  return isWhole(one.look) && isWhole(other.look) && one.look.ids.at(-1) === other.look.ids.at(-1);
}

function isWhole({ missing, obstacle }: PathInspection): boolean {
  return missing === 0 && obstacle === null;
}

/** One within the other, by name or by what the folders on the way are. */
function refuseOverlap(one: Looked, other: Looked, by: AskedBy, sentence: string): void {
  const isOverlap =
    isItself(one, other) ||
    contains(one, other) ||
    contains(other, one) ||
    // Disks that ignore case take both for one.
    (isSame(dirname(one.path), dirname(other.path)) && foldName(basename(one.path)) === foldName(basename(other.path)));
  if (isOverlap) throw refused(by === 'api' ? IN_USE : sentence);
}

function contains(outer: Looked, inner: Looked): boolean {
  if (isInside(inner.path, outer.path)) return true;
  const id = outer.look.ids.at(-1);
  return isWhole(outer.look) && id !== undefined && inner.look.ids.includes(id);
}

function refuseObstacle({ obstacle }: PathInspection, by: AskedBy): void {
  if (obstacle === null) return;
  if (by === 'api') throw refused(UNUSABLE);
  const sentences = {
    link: t('api.homes.link'),
    'no-folder': t('api.homes.notFolder'),
    denied: t('api.homes.denied'),
  };
  throw refused(sentences[obstacle]);
}

/** What is made here has names that every system allows. */
function checkNewNames(path: string, missing: number): void {
  let rest = path;
  for (let made = 0; made < missing; made += 1, rest = dirname(rest)) {
    const problem = newNameProblem(basename(rest));
    if (problem !== null) throw refused(invalidNameText(problem));
  }
}

async function isThere(path: string): Promise<boolean> {
  return isWhole(await inspectPath(path));
}

export function refused(sentence: string): FieldProblem {
  return new FieldProblem('homefolder', sentence);
}

const NOT_ALLOWED = t('api.homes.notAllowed');
const IN_USE = t('api.homes.overlapsHome');
const OVERLAPS_FOLDER = t('api.homes.overlapsData');
const UNUSABLE = t('api.homes.unusable');
