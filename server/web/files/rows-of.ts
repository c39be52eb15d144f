import type { AccountCaller } from '../../access/caller.ts';
import { entriesIn } from '../../catalogue/folder-sums.ts';
import { filmsInside } from '../../catalogue/photo-films.ts';
import { localTimesOf } from '../../catalogue/photos.ts';
import { lengthsOf, pictureSizesOf } from '../../fields/sizes-and-lengths.ts';
import type { FilesContext } from '../../files/context.ts';
import type { FileType } from '../../lib/names/file-types.ts';
import { momentOf } from '../../listing/browse/photos.ts';
import type { ListedItem } from '../../listing/details.ts';
import type { BrowseContext } from '../../listing/listing.ts';
import { markOf } from '../../metadata/marks.ts';
import { picturedIn } from '../shell/thumbnail-image.ts';
import { withLocks } from './listing/locked-rows.ts';
import { placeIn, type SharedPlace, sharedPlaces } from './listing/shared-roots.ts';
import type { Row } from './row.ts';

/** The parts that describe rows. */
interface RowParts {
  readonly files: FilesContext;
  readonly listing: Pick<BrowseContext, 'database'>;
}

const PERSON = /^\/ROOT\/(\d+)$/;

/** The entries as the pages show them. */
export async function rowsOf(
  parts: RowParts,
  caller: AccountCaller,
  items: readonly ListedItem[],
  { starred, deleted }: { starred: ReadonlySet<string>; deleted: ReadonlyMap<string, Row['deleted']> },
): Promise<Row[]> {
  const shared = await sharedPlaces(
    parts.files,
    caller,
    items.map(({ path }) => path),
  );
  const { database } = parts.listing;
  const uuidsOf = (isMeant: (item: ListedItem) => boolean) =>
    items.flatMap((item) => (item.uuid !== undefined && isMeant(item) ? [item.uuid] : []));
  const [sizes, lengths, inside, films, taken] = await Promise.all([
    pictureSizesOf(database, picturedIn(items)),
    lengthsOf(
      database,
      uuidsOf(({ type }) => type === 'video' || type === 'audio'),
    ),
    entriesIn(
      database,
      uuidsOf((item) => item.is_dir),
    ),
    filmsInside(
      database,
      uuidsOf(({ type }) => type === 'image'),
    ),
    localTimesOf(
      database,
      uuidsOf(({ type }) => type === 'image' || type === 'raw' || type === 'video'),
    ),
  ]);
  const rows = items.map((item) => ({
    ...rowOf(item, starred, deleted.get(item.path) ?? null, shared),
    pixels: sizes.get(item.uuid ?? '') ?? null,
    length: lengths.get(item.uuid ?? '') ?? null,
    entries: inside.get(item.uuid ?? '')?.entries ?? null,
    hasFilm: films.has(item.uuid ?? ''),
    takenAt: momentOrNull(taken.get(item.uuid ?? '')),
  }));
  return withLocks(parts.files, caller, shared, rows);
}

function momentOrNull(local: number | undefined): number | null {
  return local === undefined ? null : momentOf(local);
}

function rowOf(
  item: ListedItem,
  starred: ReadonlySet<string>,
  deleted: Row['deleted'],
  shared: ReadonlyMap<string, SharedPlace>,
): Omit<Row, 'pixels' | 'length' | 'entries' | 'hasFilm' | 'takenAt'> {
  const modifiedAt = item.mdate === undefined ? null : Date.parse(item.mdate);
  return {
    uuid: item.uuid ?? null,
    name: item.filename,
    isDir: item.is_dir,
    path: item.path,
    personId: Number(PERSON.exec(item.path)?.[1] ?? 0) || null,
    type: (item.type as FileType | undefined) ?? (item.is_dir ? 'folder' : 'other'),
    changedAt: modifiedAt,
    modifiedAt,
    size: item.fileSize ?? null,
    version: item.version ?? null,
    hasThumbnail: item.hasThumb === true,
    label: item.label === undefined ? null : markOf(item.label),
    isLocked: item.isLocked === true,
    isShared: item.isShared === true,
    hasLink: item.hasWebLink === true,
    link: item['weblink-full'] ?? null,
    isStarred: item.uuid !== undefined && starred.has(item.uuid),
    ...placeIn(shared, deleted?.from ?? item.path),
    deleted,
    parts: [],
  };
}
