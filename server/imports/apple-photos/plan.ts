import { setImmediate as turn } from 'node:timers/promises';
import { allowedName } from '../../lib/names/allowed-name.ts';
import { foldName } from '../../lib/names/names.ts';
import { type ExportEntry, isMedia, isShown } from '../exports/entries.ts';
import {
  type ExportPlan,
  type PlanNote,
  type PlannedAlbum,
  type PlannedFile,
  type PlanOptions,
  type ReadXmp,
  TURN,
} from '../exports/plan.ts';

const XMP = /\.xmp$/i;
/** What Photos writes beside a photo that was edited. */
const EDITS = /\.aae$/i;

interface Placed {
  readonly entry: ExportEntry;
  readonly folder: string;
  readonly name: string;
}

/**
 * Which archives are what the application Photos of a Mac exports: folders of photos with XMP or edits beside them. The others of
 * the same import are, too, unless they have descriptions of another service.
 * @param entries of those that are of no other service for sure
 * @returns the numbers of the archives
 */
export function isApplePhotos(entries: readonly ExportEntry[]): ReadonlySet<number> {
  const [all, others] = [new Set<number>(), new Set<number>()];
  const beside = new Map<string, number>();
  const media = new Set<string>();
  for (const entry of entries) {
    const { archive, path } = entry;
    all.add(archive);
    if (/^takeout\//i.test(path) || /\.json$/i.test(path)) others.add(archive);
    const { folder, name } = placeOf(entry);
    const key = (one: string) => `${archive} ${folder}\n${foldName(one)}`;
    if (XMP.test(name) || EDITS.test(name)) beside.set(key(stemOf(name)), archive);
    else if (isMedia(name)) media.add(key(name)).add(key(stemOf(name)));
  }
  const isOne = [...beside].some(([key, archive]) => media.has(key) && !others.has(archive));
  return isOne ? new Set([...all].filter((archive) => !others.has(archive))) : new Set();
}

/**
 * What is to be stored of an export of Photos on a Mac, or of other folders of photos. They stay as they are, and become albums if
 * whoever imports them wants that.
 */
export async function planApplePhotos(
  entries: readonly ExportEntry[],
  readXmp: ReadXmp,
  { folderAlbums }: PlanOptions,
): Promise<ExportPlan> {
  const notes: PlanNote[] = [];
  const [media, xmps]: [Placed[], Placed[]] = [[], []];
  const edited = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (index % TURN === 0) await turn();
    const placed = placeOf(entry);
    if (isMedia(placed.name)) media.push(placed);
    else if (XMP.test(placed.name)) xmps.push(placed);
    else if (!EDITS.test(placed.name)) {
      notes.push({ entry: entry.path, reason: /\.zip$/i.test(placed.name) ? 'nested_archive' : 'not_photo' });
    } else if (!edited.has(placed.folder)) {
      edited.add(placed.folder);
      notes.push({ entry: placed.folder === '' ? entry.path : placed.folder, reason: 'edits' });
    }
  }
  const read = await readXmp(xmps.map(({ entry }) => entry));
  const byName = new Map(xmps.map((xmp) => [keyOf(xmp.folder, stemOf(xmp.name)), xmp]));
  const albums: ReadonlyMap<string, PlannedAlbum> = folderAlbums ? albumsOf(media) : new Map();
  const used = new Set<Placed>();
  const files: PlannedFile[] = [];
  const [first] = media;
  if (first !== undefined && xmps.length === 0 && edited.size === 0) {
    // Once: it would be said of every photo.
    notes.push({ entry: first.folder.split('/', 1)[0] || first.entry.path, reason: 'no_descriptions' });
  }
  for (const [index, { entry, folder, name }] of media.entries()) {
    if (index % TURN === 0) await turn();
    // Photos names it as the photo without its ending; other programs keep the ending.
    const xmp = byName.get(keyOf(folder, name)) ?? byName.get(keyOf(folder, stemOf(name)));
    if (xmp !== undefined) used.add(xmp);
    files.push({
      entry,
      folders: folder === '' ? [] : folder.split('/').map(allowedName),
      name: allowedName(name),
      stated: (xmp === undefined ? null : read.get(xmp.entry)) ?? null,
      albums: isShown(name) ? [albums.get(folder)].filter((album) => album !== undefined) : [],
      isDatedByFile: true,
    });
  }
  for (const xmp of xmps) {
    const { entry } = xmp;
    if (!read.has(entry)) notes.push({ entry: entry.path, reason: 'large_description' });
    else if (read.get(entry) === null) notes.push({ entry: entry.path, reason: 'unreadable_description' });
    else if (!used.has(xmp)) notes.push({ entry: entry.path, reason: 'no_photo' });
  }
  return { files, notes };
}

/** An album for each folder with photos, called like the folder; like its path, if several have that name. */
function albumsOf(media: readonly Placed[]): Map<string, PlannedAlbum> {
  const folders = new Set(media.map(({ folder }) => folder).filter((folder) => folder !== ''));
  const nameOf = (folder: string) => folder.slice(folder.lastIndexOf('/') + 1);
  const counts = new Map<string, number>();
  for (const folder of folders) counts.set(nameOf(folder), (counts.get(nameOf(folder)) ?? 0) + 1);
  return new Map(
    [...folders].map((folder) => {
      const title = counts.get(nameOf(folder)) === 1 ? nameOf(folder) : folder.replaceAll('/', ' / ');
      return [folder, { folder, title }];
    }),
  );
}

function placeOf(entry: ExportEntry): Placed {
  const slash = entry.path.lastIndexOf('/');
  return { entry, folder: entry.path.slice(0, Math.max(slash, 0)), name: entry.path.slice(slash + 1) };
}

function keyOf(folder: string, name: string): string {
  return `${folder}\n${foldName(name)}`;
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}
