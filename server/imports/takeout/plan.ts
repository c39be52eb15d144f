import { foldName } from '../../lib/names/names.ts';
import { type EntryPlace, type ExportEntry, isJson, isMedia, isPhotosProduct, placeOf } from './entries.ts';
import { allowedName, isTimeFolder } from './folders.ts';
import { MAX_JSON, type PhotoSidecar, type Sidecar } from './sidecar.ts';
import { namesOneOf, SidecarNames } from './sidecar-names.ts';

/** Why something of an export was not understood, or not brought. */
export const PLAN_REASONS = [
  /** A folder of another product of Google. */
  'other_product',
  /** A file that is neither a photo nor a film. */
  'not_photo',
  /** A JSON that is too large, or cannot be read. */
  'large_json',
  'unreadable_json',
  /** A photo without a JSON: it is stored, without what the JSON would say. */
  'no_json',
  /** A JSON whose photo is not in any of the archives. */
  'no_photo',
  /** A folder that is neither an album nor that of a year: its photos are stored. */
  'no_album',
  /** Albums here have no description. */
  'album_description',
  /** It was in the trash of Google Photos. */
  'trashed',
] as const;

export type PlanReason = (typeof PLAN_REASONS)[number];

export interface PlanNote {
  /** A path in the archives. */
  readonly entry: string;
  readonly reason: PlanReason;
}

export interface PlannedAlbum {
  /** The folder in the export that identifies it. */
  readonly folder: string;
  readonly title: string;
}

/** A photo or film, and what is known of it. */
export interface PlannedFile {
  readonly entry: ExportEntry;
  /** The folders below the target, and the name, as they may be stored. */
  readonly folders: readonly string[];
  readonly name: string;
  readonly sidecar: PhotoSidecar | null;
  readonly album: PlannedAlbum | null;
}

export interface TakeoutPlan {
  /** Those of years first, so that they are stored there; otherwise in the order of the archives. */
  readonly files: readonly PlannedFile[];
  readonly notes: readonly PlanNote[];
}

interface Placed extends EntryPlace {
  readonly entry: ExportEntry;
}

/** The JSONs that the plan needs: those of photos and albums that are not too large. */
export function jsonsToRead(entries: readonly ExportEntry[]): ExportEntry[] {
  return photosIn(entries)
    .placed.filter(({ name, entry }) => isJson(name) && entry.size <= MAX_JSON)
    .map(({ entry }) => entry);
}

/**
 * What is to be stored of an export, and as what.
 * @param entries of all archives
 * @param read the JSONs that `jsonsToRead` names
 */
export function planTakeout(entries: readonly ExportEntry[], read: ReadonlyMap<ExportEntry, Sidecar>): TakeoutPlan {
  const { placed, notes } = photosIn(entries);
  const byFolder = new Map<string, Placed[]>();
  for (const one of placed) {
    const key = one.folders.join('/');
    const there = byFolder.get(key);
    if (there === undefined) byFolder.set(key, [one]);
    else there.push(one);
  }
  const files: (PlannedFile & { readonly isOfTime: boolean })[] = [];
  for (const [folder, there] of byFolder) files.push(...planFolder(folder, there, read, notes));
  files.sort(
    (a, b) => Number(b.isOfTime) - Number(a.isOfTime) || a.entry.part - b.entry.part || a.entry.index - b.entry.index,
  );
  return { files: files.map(({ isOfTime: _, ...file }) => file), notes };
}

/** What is of the product with the photos; the others are noted. */
function photosIn(entries: readonly ExportEntry[]): { placed: Placed[]; notes: PlanNote[] } {
  const byProduct = new Map<string, Placed[]>();
  for (const entry of entries) {
    if (entry.path.endsWith('/')) continue;
    const place = { ...placeOf(entry.path), entry };
    // A file beside the folders of the products describes the export.
    if (place.product === '' && place.folders.length === 0 && !isMedia(place.name) && !isJson(place.name)) continue;
    const there = byProduct.get(place.product);
    if (there === undefined) byProduct.set(place.product, [place]);
    else there.push(place);
  }
  const placed: Placed[] = [];
  const notes: PlanNote[] = [];
  for (const [product, there] of byProduct) {
    if (isPhotosProduct(product) || isDescribedByJsons(there)) placed.push(...there);
    else notes.push({ entry: product, reason: 'other_product' });
  }
  return { placed, notes };
}

/** Whether a product, whatever it is called, has JSONs with the names of photos beside them. */
function isDescribedByJsons(there: readonly Placed[]): boolean {
  const names = new Map<string, Set<string>>();
  for (const { folders, name } of there) {
    if (!isMedia(name)) continue;
    const key = folders.join('/');
    const known = names.get(key) ?? new Set();
    names.set(key, known.add(foldName(name)));
  }
  return there.some(({ folders, name }) => isJson(name) && namesOneOf(name, names.get(folders.join('/')) ?? new Set()));
}

function planFolder(
  folder: string,
  there: readonly Placed[],
  read: ReadonlyMap<ExportEntry, Sidecar>,
  notes: PlanNote[],
): (PlannedFile & { readonly isOfTime: boolean })[] {
  const names = new SidecarNames<{ readonly entry: ExportEntry; readonly sidecar: PhotoSidecar }>();
  const unused = new Set<ExportEntry>();
  let described: { readonly title: string } | null = null;
  const media: Placed[] = [];
  for (const one of there) {
    const { name, entry } = one;
    if (isMedia(name)) media.push(one);
    else if (!isJson(name)) notes.push({ entry: entry.path, reason: 'not_photo' });
    else {
      const sidecar = read.get(entry);
      if (sidecar === undefined) notes.push({ entry: entry.path, reason: 'large_json' });
      else if (sidecar.kind === 'unreadable') notes.push({ entry: entry.path, reason: 'unreadable_json' });
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
  const files = media.flatMap(({ entry, name }) => {
    const found = names.find(name);
    if (found === undefined) notes.push({ entry: entry.path, reason: 'no_json' });
    else unused.delete(found.entry);
    if (found?.sidecar.isTrashed === true) {
      notes.push({ entry: entry.path, reason: 'trashed' });
      return [];
    }
    const sidecar = found?.sidecar ?? null;
    return [{ entry, folders: folders.map(allowedName), name: allowedName(name), sidecar, album, isOfTime }];
  });
  for (const entry of unused) notes.push({ entry: entry.path, reason: 'no_photo' });
  return files;
}
