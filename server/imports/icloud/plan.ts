import { setImmediate as turn } from 'node:timers/promises';
import { allowedName } from '../../lib/names/allowed-name.ts';
import { foldName } from '../../lib/names/names.ts';
import { type ExportEntry, isFilm, isMedia, isShown } from '../exports/entries.ts';
import {
  type ExportPlan,
  HIDDEN,
  type PlanNote,
  type PlannedAlbum,
  type PlannedFile,
  type ReadTexts,
  TURN,
} from '../exports/plan.ts';
import { type DetailsRow, readPhotoList } from './lists.ts';

/** `Photo Details.csv`, and `Photo Details-23.csv` where there are several. */
const PHOTO_DETAILS = /^[^/]* details(?:-\d+)?\.csv$/i;
/** The folders of the trash, and of selections that iCloud makes by itself. */
const TRASH = /^recently deleted$/i;
const MEMORIES = /^memories$/i;
/** Albums that were shared have a folder each below this one. */
const SHARED_ALBUMS = /^icloud shared albums?(?:[-\s]\d+)?$|^shared albums?$/i;
/** Of the two photos that an edited Live Photo may have, the one that its film belongs to. */
const LIVE = /\.hei[cf]$/i;
/** Seconds between the dates of a photo and its film, which Apple states in minutes. */
const APART = 60;

interface Placed {
  readonly entry: ExportEntry;
  readonly folder: string;
  readonly folders: readonly string[];
  readonly name: string;
}

/**
 * Which archives are of a copy of iCloud Photos: all but those of a Google Takeout, if one of them describes photos as iCloud does,
 * or has its shared albums.
 * @returns the numbers of the archives
 */
export function isICloud(entries: readonly ExportEntry[]): ReadonlySet<number> {
  const all = new Set<number>();
  const ofTakeout = new Set<number>();
  let isDescribed = false;
  for (const { archive, path } of entries) {
    all.add(archive);
    if (/^takeout\//i.test(path)) ofTakeout.add(archive);
    else if (isOfICloud(path)) isDescribed = true;
  }
  return isDescribed ? new Set([...all].filter((archive) => !ofTakeout.has(archive))) : new Set();
}

function isOfICloud(path: string): boolean {
  const folders = path.split('/');
  return PHOTO_DETAILS.test(folders.pop() ?? '') || folders.some((folder) => SHARED_ALBUMS.test(folder));
}

/**
 * What is to be stored of the copy of iCloud Photos that Apple provides. Its archives have photos in folders without an order, with
 * CSVs beside them that state dates; the same name occurs in several. Albums are CSVs with names only. Photos are stored in a
 * folder for each year.
 * @param entries of its archives
 */
export async function planICloud(entries: readonly ExportEntry[], readTexts: ReadTexts): Promise<ExportPlan> {
  const notes: PlanNote[] = [];
  const lists: Placed[] = [];
  const media: Placed[] = [];
  const others: Placed[] = [];
  const memories = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (index % TURN === 0) await turn();
    const placed = placeOf(entry);
    const { name, folder, folders } = placed;
    if (isMedia(name)) media.push(placed);
    else if (!/\.csv$/i.test(name)) others.push(placed);
    else if (folders.some((one) => MEMORIES.test(one))) memories.add(folder);
    else lists.push(placed);
  }
  for (const folder of memories) notes.push({ entry: folder, reason: 'memories' });
  const details = new Details();
  const albums = new Map<string, AlbumList>();
  const read = await readTexts(
    lists.map(({ entry }) => entry),
    readPhotoList,
  );
  for (const { entry, folder, name } of lists) {
    const list = read.get(entry);
    if (list === undefined) notes.push({ entry: entry.path, reason: 'large_description' });
    else if (list.kind === 'unreadable') notes.push({ entry: entry.path, reason: 'unreadable_description' });
    else if (list.kind === 'other') notes.push({ entry: entry.path, reason: 'not_photo' });
    else if (list.kind === 'details') details.add(folder, list.rows);
    else addList(albums, entry.path, name.replace(/\.csv$/i, ''), list.names);
  }
  // iCloud knows more types than Larder: what is described as a photo is one.
  for (const other of others) {
    if (details.describes(other)) media.push(other);
    else notes.push({ entry: other.entry.path, reason: /\.zip$/i.test(other.name) ? 'nested_archive' : 'not_photo' });
  }
  const planned = await planFiles(media, details, notes);
  for (const path of details.unused()) notes.push({ entry: path, reason: 'no_photo' });
  return { files: await withAlbums(planned, [...albums.values()], notes), notes };
}

function placeOf(entry: ExportEntry): Placed {
  const folders = entry.path.split('/');
  const name = folders.pop() ?? '';
  return { entry, folder: folders.join('/'), folders, name };
}

/** A row of a folder, with the path of what it describes. */
interface PlacedRow extends DetailsRow {
  readonly folder: string;
  readonly path: string;
}

/** What the CSVs say, by folder and by name. */
class Details {
  /** Of photos and films that are there. */
  readonly #present = new Set<string>();
  readonly #ofFolder = new Map<string, PlacedRow[]>();
  readonly #ofStem = new Map<string, PlacedRow[]>();
  readonly #ofName = new Map<string, PlacedRow[]>();
  readonly #unused = new Set<PlacedRow>();

  add(folder: string, rows: readonly DetailsRow[]): void {
    for (const row of rows) {
      const placed = { ...row, folder, path: joined(folder, row.name) };
      append(this.#ofFolder, keyOf(folder, row.name), placed);
      append(this.#ofStem, keyOf(folder, stemOf(row.name)), placed);
      append(this.#ofName, foldName(row.name), placed);
      if (!row.isDeleted) this.#unused.add(placed);
    }
  }

  /** To be called for all photos and films before any is asked for. */
  addPresent({ folder, name }: Placed): void {
    this.#present.add(keyOf(folder, name));
  }

  /** Whether there is a row of a file in its folder. */
  describes({ folder, name }: Placed): boolean {
    return this.#ofFolder.has(keyOf(folder, name));
  }

  /**
   * The row of a photo or film: of its name in its folder; of the photo whose film it is, which has the same name with another
   * ending, a HEIC first; of its name in another folder, unless that has the photo of the row itself. Rows that contradict each other
   * are none.
   * @param isShared whether it is in the folder of a shared album: the same name elsewhere is then another person's photo
   */
  find({ folder, name }: Placed, isShared: boolean): DetailsRow | null {
    const own = this.#ofFolder.get(keyOf(folder, name));
    const ofStem = this.#ofStem.get(keyOf(folder, stemOf(name)));
    const ofLive = isFilm(name) ? (ofStem ?? []).filter((row) => LIVE.test(row.name)) : [];
    const elsewhere = () =>
      (this.#ofName.get(foldName(name)) ?? []).filter((row) => !this.#present.has(keyOf(row.folder, row.name)));
    const rows = own ?? (ofLive.length > 0 ? ofLive : ofStem) ?? (isShared ? [] : elsewhere());
    for (const row of own ?? []) this.#unused.delete(row);
    const [first, ...others] = rows;
    if (first === undefined || others.some((other) => !isSame(first, other))) return null;
    this.#unused.delete(first);
    return first;
  }

  /** The paths of what is described and was not asked for. */
  *unused(): Generator<string> {
    for (const { path } of this.#unused) yield path;
  }
}

function isSame(one: DetailsRow, other: DetailsRow): boolean {
  return one.taken === other.taken && one.checksum === other.checksum;
}

interface Planned extends Placed {
  readonly file: PlannedFile;
}

async function planFiles(media: readonly Placed[], details: Details, notes: PlanNote[]): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const one of media) details.addPresent(one);
  const stills = new Map<string, Placed[]>();
  for (const one of media) if (!isFilm(one.name)) append(stills, keyOf(one.folder, stemOf(one.name)), one);
  for (const [index, placed] of media.entries()) {
    if (index % TURN === 0) await turn();
    const { entry, folders, name } = placed;
    const shared = sharedAlbumOf(placed);
    const still = isFilm(name) ? liveOf(stills.get(keyOf(placed.folder, stemOf(name))) ?? []) : null;
    const ofStill = still === null ? null : details.find(still, shared !== null);
    const row = details.find(placed, shared !== null) ?? (details.describes(placed) ? null : ofStill);
    if (row?.isDeleted === true || folders.some((folder) => TRASH.test(folder))) {
      notes.push({ entry: entry.path, reason: 'trashed' });
      continue;
    }
    if (row === null && shared === null) notes.push({ entry: entry.path, reason: 'no_description' });
    if (row?.isHidden === true) notes.push({ entry: entry.path, reason: 'hidden' });
    const taken = row?.taken ?? null;
    // In the first seconds of a year, a film may begin in the year before its photo. In two folders, they would not be one.
    const placing = ofStill !== null && areOfOneMoment(taken, ofStill.taken) ? ofStill : row;
    const year = yearOf(placing?.taken ?? null);
    planned.push({
      ...placed,
      file: {
        entry,
        folders: placing?.isHidden === true ? [HIDDEN, ...year] : shared === null ? year : [allowedName(shared.title)],
        name: allowedName(name),
        stated: row === null ? null : { taken, place: null, description: '', isFavourite: isFavourite(row, name) },
        albums: shared !== null && isShown(name) ? [shared] : [],
      },
    });
  }
  return planned;
}

/** Of the photos with the name of a film, the one that it belongs to; null if that cannot be told. */
function liveOf(stills: readonly Placed[]): Placed | null {
  const live = stills.filter(({ name }) => LIVE.test(name));
  const [only, ...others] = live.length > 0 ? live : stills;
  return only === undefined || others.length > 0 ? null : only;
}

function areOfOneMoment(film: number | null, still: number | null): boolean {
  return film !== null && still !== null && Math.abs(film - still) <= APART;
}

/** The folder of a year, for seconds since the epoch. */
function yearOf(taken: number | null): string[] {
  return taken === null ? [] : [String(new Date(taken * 1_000).getUTCFullYear())];
}

/** Of a photo with its film, the photo is the favourite. */
function isFavourite(row: DetailsRow, name: string): boolean {
  return row.isFavourite && foldName(row.name) === foldName(name);
}

/** The album of a photo that lies in the folder of a shared album. */
function sharedAlbumOf({ folders }: Placed): PlannedAlbum | null {
  const index = folders.findIndex((folder) => SHARED_ALBUMS.test(folder));
  const title = folders[index + 1];
  return index < 0 || title === undefined ? null : { folder: folders.slice(0, index + 2).join('/'), title };
}

interface AlbumList {
  readonly album: PlannedAlbum;
  /** Where it was found. */
  readonly path: string;
  /** Folded. */
  readonly names: Set<string>;
}

/** The list of an album may be in parts, one in each archive. */
function addList(albums: Map<string, AlbumList>, path: string, title: string, names: readonly string[]): void {
  const key = foldName(title);
  const list = albums.get(key) ?? { album: { folder: `Albums/${title}`, title }, path, names: new Set() };
  albums.set(key, list);
  for (const name of names) list.names.add(foldName(name));
}

/** Lists state only names: a name that several photos have names none of them. */
async function withAlbums(
  planned: readonly Planned[],
  lists: readonly AlbumList[],
  notes: PlanNote[],
): Promise<readonly PlannedFile[]> {
  const byName = new Map<string, Planned[]>();
  for (const one of planned) append(byName, foldName(one.name), one);
  const albumsOf = new Map<Planned, PlannedAlbum[]>();
  for (const { album, path, names } of lists) {
    await turn();
    let isComplete = true;
    for (const name of names) {
      const [only, ...others] = byName.get(name) ?? [];
      if (only === undefined || others.length > 0) isComplete = false;
      else if (isShown(only.name)) append(albumsOf, only, album);
    }
    if (!isComplete) notes.push({ entry: path, reason: 'album_incomplete' });
  }
  return planned.map((one) => ({ ...one.file, albums: [...one.file.albums, ...(albumsOf.get(one) ?? [])] }));
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const there = map.get(key);
  if (there === undefined) map.set(key, [value]);
  else there.push(value);
}

function keyOf(folder: string, name: string): string {
  return `${folder}\n${foldName(name)}`;
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}
