import { setImmediate as turn } from 'node:timers/promises';
import { foldName } from '../../lib/names/names.ts';
import { allowedName } from '../exports/allowed-name.ts';
import { type ExportEntry, isMedia, isShown } from '../exports/entries.ts';
import { type ExportPlan, type PlanNote, type PlannedFile, TURN } from '../exports/plan.ts';
import { type EntryPlace, isJson, isPhotosProduct, placeOf } from './entries.ts';
import { isTimeFolder } from './folders.ts';
import { MAX_JSON, type PhotoSidecar, type Sidecar } from './sidecar.ts';
import { namesOneOf, SidecarNames } from './sidecar-names.ts';

interface Placed extends EntryPlace {
  readonly entry: ExportEntry;
}

/** The photos of an export, by its folders. */
export interface PlacedExport {
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
    // A file beside the folders of the products describes the export.
    if (place.product === '' && place.folders.length === 0 && !isMedia(place.name) && !isJson(place.name)) continue;
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
  for (const [folder, there] of placed.folders) planned.push(await planFolder(folder, there, read, notes));
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

async function planFolder(
  folder: string,
  there: readonly Placed[],
  read: ReadonlyMap<ExportEntry, Sidecar>,
  notes: PlanNote[],
): Promise<(PlannedFile & OfTime)[]> {
  const names = new SidecarNames<{ readonly entry: ExportEntry; readonly sidecar: PhotoSidecar }>();
  const unused = new Set<ExportEntry>();
  let described: { readonly title: string } | null = null;
  const media: Placed[] = [];
  for (const [index, one] of there.entries()) {
    if (index % TURN === 0) await turn();
    const { name, entry } = one;
    if (isMedia(name)) media.push(one);
    else if (!isJson(name)) notes.push({ entry: entry.path, reason: 'not_photo' });
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
  const folders = there[0]?.folders ?? [];
  const last = folders.at(-1) ?? '';
  const isOfTime = isTimeFolder(last, described !== null);
  const album =
    isOfTime || described === null ? null : { folder, title: described.title === '' ? last : described.title };
  if (media.length > 0 && folder !== '' && !isOfTime && album === null)
    notes.push({ entry: folder, reason: 'no_album' });
  const files: (PlannedFile & OfTime)[] = [];
  for (const [index, { entry, name }] of media.entries()) {
    if (index % TURN === 0) await turn();
    const found = names.find(name);
    if (found === undefined) notes.push({ entry: entry.path, reason: 'no_description' });
    else unused.delete(found.entry);
    if (found?.sidecar.isTrashed === true) {
      notes.push({ entry: entry.path, reason: 'trashed' });
      continue;
    }
    files.push({
      entry,
      folders: folders.map(allowedName),
      name: allowedName(name),
      stated: found?.sidecar ?? null,
      albums: album !== null && isShown(name) ? [album] : [],
      isOfTime,
    });
  }
  for (const entry of unused) notes.push({ entry: entry.path, reason: 'no_photo' });
  return files;
}
