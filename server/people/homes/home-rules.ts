import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { HomeRecord } from '../../catalogue/homes.ts';
import { invalidNameText } from '../../files/create-folder.ts';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import { foldName, newNameProblem } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import type { Layout } from '../../storage/layout.ts';
import { inspectPath, type PathInspection, realPathToBe } from '../../storage/paths/inspect-path.ts';
import { isInside, isSame, isSystemFolder } from './home-path.ts';

/** Who requests it: through the API, administrators see less of this machine than its owner, and may choose less. */
export type RequestedBy = 'api' | 'owner';

interface LocationRules {
  readonly layout: Pick<Layout, 'folder' | 'homes'>;
  /** Folders in which administrators may create homes. */
  readonly allowed: readonly string[];
  readonly homes: readonly HomeRecord[];
  readonly by: RequestedBy;
}

/** The properties of an allowed location. */
export interface AllowedLocation {
  readonly path: string;
  readonly isOutside: boolean;
  /** The orphaned home at this location. */
  readonly orphan: HomeRecord | null;
  /** How many folders at its end may be created. */
  readonly mayMake: number;
}

/**
 * Checks a path against all rules for homes. Folders are compared by identity, too: a link or a second mount leads to the same
 * one.
 * @param path from `readHomePath`
 * @throws FieldProblem `homefolder`
 */
export async function checkLocation(
  path: string,
  { layout, allowed, homes, by }: LocationRules,
): Promise<AllowedLocation> {
  const isOutside = !isInside(path, layout.folder) && !isSame(path, layout.folder);
  const allowedIn = allowed.find((location) => isInside(path, location));
  // Before any disk access: an administrator must learn nothing about the rest of this machine.
  if (by === 'api' && isOutside && allowedIn === undefined) throw refused(NOT_ALLOWED);
  if (by === 'api' && !isOutside && !isInside(path, layout.homes)) throw refused(NOT_ALLOWED);
  if (isSystemFolder(path, homedir())) throw refused(t('api.homes.systemFolder'));
  if (!isOutside) checkOwnFolder(path, layout);

  const folder = await realPathToBe(layout.folder);
  // The path to the data folder may contain a link of the owner's; below it there must be none.
  const inspectLocation = async (location: string): Promise<InspectedLocation> => {
    const real = isInside(location, layout.folder) ? join(folder, relative(layout.folder, location)) : location;
    return { path: location, inspection: await inspectPath(real) };
  };
  const own = await inspectLocation(path);
  refuseObstacle(own.inspection, by);
  if (isOutside) refuseOverlap(own, { path: folder, inspection: await inspectPath(folder) }, by, OVERLAPS_FOLDER);
  let orphan: HomeRecord | null = null;
  for (const home of homes) {
    const other = await inspectLocation(home.homeRoot.root);
    if (isItself(own, other)) {
      // Only the owner can assign a former home, by adopting it.
      if (by === 'api' || home.accountId !== null || home.trashed !== null) throw refused(IN_USE);
      orphan = home;
    } else refuseOverlap(own, other, by, IN_USE);
  }
  const { missing } = own.inspection;
  if (missing > 0) checkNewNames(path, missing);
  const mayMake = allowedIn !== undefined && (await isThere(allowedIn)) ? missing : 1;
  if (missing > mayMake)
    throw refused(by === 'api' ? NOT_ALLOWED : t('api.homes.parentMissing', { folder: dirname(path) }));
  return { path, isOutside, orphan, mayMake };
}

function checkOwnFolder(path: string, { homes }: LocationRules['layout']): void {
  if (!isSame(dirname(path), homes)) {
    throw refused(t('api.homes.nestedFolder'));
  }
}

interface InspectedLocation {
  readonly path: string;
  readonly inspection: PathInspection;
}

function isItself(one: InspectedLocation, other: InspectedLocation): boolean {
  if (isSame(one.path, other.path)) return true;
  return (
    isWhole(one.inspection) && isWhole(other.inspection) && one.inspection.ids.at(-1) === other.inspection.ids.at(-1)
  );
}

function isWhole({ missing, obstacle }: PathInspection): boolean {
  return missing === 0 && obstacle === null;
}

/** One contains the other, by name or by the identity of parent folders. */
function refuseOverlap(one: InspectedLocation, other: InspectedLocation, by: RequestedBy, sentence: string): void {
  const isOverlap =
    isItself(one, other) ||
    contains(one, other) ||
    contains(other, one) ||
    // Case-insensitive disks treat both as one.
    (isSame(dirname(one.path), dirname(other.path)) && foldName(basename(one.path)) === foldName(basename(other.path)));
  if (isOverlap) throw refused(by === 'api' ? IN_USE : sentence);
}

function contains(outer: InspectedLocation, inner: InspectedLocation): boolean {
  if (isInside(inner.path, outer.path)) return true;
  const id = outer.inspection.ids.at(-1);
  return isWhole(outer.inspection) && id !== undefined && inner.inspection.ids.includes(id);
}

function refuseObstacle({ obstacle }: PathInspection, by: RequestedBy): void {
  if (obstacle === null) return;
  if (by === 'api') throw refused(UNUSABLE);
  const sentences = {
    link: t('api.homes.link'),
    'no-folder': t('api.homes.notFolder'),
    denied: t('api.homes.denied'),
  };
  throw refused(sentences[obstacle]);
}

/** New folders must have names that every system allows. */
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
