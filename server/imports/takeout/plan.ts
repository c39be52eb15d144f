import { setImmediate as turn } from 'node:timers/promises';
import { allowedName } from '../../lib/names/allowed-name.ts';
import { foldName } from '../../lib/names/names.ts';
import { type ExportEntry, isMedia, isShown } from '../exports/entries.ts';
import { type ExportPlan, HIDDEN, type PlanNote, type PlannedFile, TURN } from '../exports/plan.ts';
import { type EntryPlace, isJson, isPhotosProduct, placeOf } from './entries.ts';
import { isTimeFolder } from './folders.ts';
import { MAX_JSON, type PhotoSidecar, type Sidecar } from './sidecar.ts';
import { namesOneOf, SidecarNames } from './sidecar-names.ts';

interface Placed extends EntryPlace {
  readonly entry: ExportEntry;
}

/** The photos of an export, by its folders. */
interface PlacedExport {
  readonly folders: ReadonlyMap<string, readonly Placed[]>;
  /** The JSONs that the plan needs: those of photos and albums that are not too large. */
  readonly jsons: readonly ExportEntry[];
  /** What is not of the product with the photos. */
  readonly notes: readonly PlanNote[];
}

/** @param entries of all archives */
export async function placeExport(entries: readonly ExportEntry[]): Promise<PlacedExport> {
  const byProduct = new Map<string, Map<string, Placed[]>>();
  for (const [index, entry] of entries.entries()) {
    if (index % TURN === 0) await turn();
    const place = { ...placeOf(entry.path), entry };
    const folders = byProduct.get(place.product) ?? new Map<string, Placed[]>();
    byProduct.set(place.product, folders);
    const key = place.folders.join('/');
    const there = folders.get(key);
    if (there === undefined) folders.set(key, [place]);
    else there.push(place);
  }
  const all = new Map<string, Placed[]>();
  const notes: PlanNote[] = [];
  for (const [product, folders] of byProduct) {
    const isOfPhotos = isPhotosProduct(product) || [...folders.values()].some(isDescribedByJsons);
    if (!isOfPhotos) notes.push({ entry: product, reason: 'other_product' });
    else for (const [key, there] of folders) all.set(key, [...(all.get(key) ?? []), ...there]);
  }
  const jsons = [...all.values()].flatMap((there) =>
    there.filter(({ name, entry }) => isJson(name) && entry.size <= MAX_JSON).map(({ entry }) => entry),
  );
  return { folders: all, jsons, notes };
}

/**
 * What is to be stored of an export, and as what: the photos of years first, so that they are stored there, otherwise in the order
 * of the archives.
 * @param read the JSONs of the export
 */
export async function planTakeout(placed: PlacedExport, read: ReadonlyMap<ExportEntry, Sidecar>): Promise<ExportPlan> {
  const notes = [...placed.notes];
  const planned: (readonly (PlannedFile & OfTime)[])[] = [];
  const lost: Lost = new Map();
  for (const [folder, there] of placed.folders) planned.push(await planFolder(folder, there, read, notes, lost));
  for (const [reason, entry] of lost) notes.push({ entry, reason });
  const files = planned.flat();
  files.sort(
    (a, b) =>
      Number(b.isOfTime) - Number(a.isOfTime) || a.entry.archive - b.entry.archive || a.entry.index - b.entry.index,
  );
  return { files, notes };
}

/** Whether a folder has JSONs with the names of photos beside them, so that it is of the photos, whatever it is called. */
function isDescribedByJsons(there: readonly Placed[]): boolean {
  const names = new Set(there.filter(({ name }) => isMedia(name)).map(({ name }) => foldName(name)));
  return names.size > 0 && there.some(({ name }) => isJson(name) && namesOneOf(name, names));
}

/** Whether it is in the folder of a year or day. */
interface OfTime {
  readonly isOfTime: boolean;
}

/** What descriptions say and nothing is kept of, with the place of the first: it is said once, because it may be in all of them. */
type Lost = Map<PlanNote['reason'], string>;

function addLost(lost: Lost, { entry, folders }: Placed, { isArchived, hasPeople }: PhotoSidecar): void {
  const above = entry.path.split('/').slice(0, -folders.length - 1);
  const place = above.length === 0 ? entry.path : above.join('/');
  if (isArchived && !lost.has('archived')) lost.set('archived', place);
  if (hasPeople && !lost.has('people')) lost.set('people', place);
}

async function planFolder(
  folder: string,
  there: readonly Placed[],
  read: ReadonlyMap<ExportEntry, Sidecar>,
  notes: PlanNote[],
  lost: Lost,
): Promise<(PlannedFile & OfTime)[]> {
  const names = new SidecarNames<{ readonly entry: ExportEntry; readonly sidecar: PhotoSidecar }>();
  const unused = new Set<ExportEntry>();
  let described: { readonly title: string } | null = null;
  const media: Placed[] = [];
  const others: Placed[] = [];
  for (const [index, one] of there.entries()) {
    if (index % TURN === 0) await turn();
    const { name, entry } = one;
    if (isMedia(name)) media.push(one);
    else if (!isJson(name)) others.push(one);
    else {
      const sidecar = read.get(entry);
      if (sidecar === undefined) notes.push({ entry: entry.path, reason: 'large_description' });
      else if (sidecar.kind === 'unreadable') notes.push({ entry: entry.path, reason: 'unreadable_description' });
      else if (sidecar.kind === 'photo') {
        names.add(name, { json: { entry, sidecar }, title: sidecar.title });
        unused.add(entry);
      } else if (sidecar.kind === 'album' && folder !== '') {
        described ??= { title: sidecar.title };
        if (sidecar.description !== '') notes.push({ entry: entry.path, reason: 'album_description' });
      }
    }
  }
  // Google knows more types than Larder: what is described as a photo is one.
  for (const one of others) {
    if (names.names(one.name)) media.push(one);
    // A file beside the folders of the products describes the export.
    else if (one.product !== '' || one.folders.length > 0) notes.push({ entry: one.entry.path, reason: 'not_photo' });
  }
  const folders = there[0]?.folders ?? [];
  const last = folders.at(-1) ?? '';
  const isOfTime = isTimeFolder(last, described !== null);
  const album =
    isOfTime || described === null ? null : { folder, title: described.title === '' ? last : described.title };
  if (media.length > 0 && folder !== '' && !isOfTime && album === null)
    notes.push({ entry: folder, reason: 'no_album' });
  const files: (PlannedFile & OfTime)[] = [];
  for (const [index, one] of media.entries()) {
    if (index % TURN === 0) await turn();
    const { entry, name } = one;
    const found = names.find(name);
    if (found === undefined) notes.push({ entry: entry.path, reason: 'no_description' });
    else unused.delete(found.entry);
    if (found?.sidecar.isTrashed === true) {
      notes.push({ entry: entry.path, reason: 'trashed' });
      continue;
    }
    const isLocked = found?.sidecar.isLocked === true;
    if (isLocked) notes.push({ entry: entry.path, reason: 'hidden' });
    if (found !== undefined) addLost(lost, one, found.sidecar);
    files.push({
      entry,
      folders: [...(isLocked ? [HIDDEN] : []), ...folders.map(allowedName)],
      name: allowedName(name),
      stated: found?.sidecar ?? null,
      albums: album !== null && !isLocked && isShown(name) ? [album] : [],
      isOfTime,
    });
  }
  for (const entry of unused) notes.push({ entry: entry.path, reason: 'no_photo' });
  return files;
}
