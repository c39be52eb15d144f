import type { ItemTarget } from '../access/access.ts';
import { HOME_BASE } from '../access/access.ts';
import { checkType, limitsIn } from '../access/limits.ts';
import { onStorage } from '../access/storage-failure.ts';
import { IS_PROVEN } from '../catalogue/items.ts';
import { locationsOf } from '../catalogue/places.ts';
import { hashOf } from '../files/content-tag.ts';
import { createMissingFolders, isFolder } from '../files/create-folder.ts';
import { isOccupied } from '../files/publish/occupied.ts';
import { publishContent } from '../files/publish/publish-content.ts';
import { proveFilesOfSize } from '../files/unproven-copies.ts';
import { withFile } from '../files/with-file.ts';
import { ApiError } from '../http/errors.ts';
import { freeNumber } from '../lib/names/free-number.ts';
import { numberedName } from '../lib/names/numbered-name.ts';
import { t } from '../messages/messages.ts';
import { flushUnpacked } from '../storage/content/flush-unpacked.ts';
import { closeFile } from '../storage/content/send-bytes.ts';
import { flushAndClose } from '../storage/flush.ts';
import type { ImportContext, Importing } from './context.ts';
import { isMedia } from './exports/entries.ts';

/** Copies of a content that are compared with the disk. */
const MAX_COPIES = 100;
/** Names that are tried. */
const TRIES = 1_000;

/** A content of the work area. */
export interface Content {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: Buffer;
  /** Milliseconds since the epoch; NaN for the present time. */
  readonly mtime: number;
}

/** Where a content goes, as names below the home. */
interface Destination {
  /** Without a number, if the name is in use. */
  readonly path: readonly string[];
  /** Under which name it was being stored when an earlier run ended; null if it was not begun. */
  readonly begun: readonly string[] | null;
}

interface Stored {
  readonly itemId: number;
  /** Whether this import has stored it; otherwise it was there already. */
  readonly isOurs: boolean;
  /** Whether a file of the same size could not be read, and may have the same content. */
  readonly mayBeCopy: boolean;
}

/**
 * Stores a content, unless a photo or film with this content is in the home.
 * @param begin called before it is stored under another name than the one without a number
 * @throws ApiError
 */
export async function storeContent(
  context: ImportContext,
  importing: Importing,
  content: Content,
  { path, begun }: Destination,
  begin: (path: readonly string[]) => Promise<void>,
): Promise<Stored> {
  const { caller } = importing;
  const isBegun = (found: readonly string[]) => begun !== null && found.join('/') === begun.join('/');
  const name = path.at(-1) ?? '';
  let areAllKnown = true;
  if (content.size > 0) {
    const find = () => copyIn(context, importing, content, name);
    let copy = await find();
    if (copy === null) {
      const prove = () => proveFilesOfSize(context, importing.home, content.size, mayBeCopyOf(name));
      areAllKnown = (await onStorage(prove)).areAll;
      copy = await find();
    }
    if (copy !== null) return { itemId: copy.itemId, isOurs: isBegun(copy.segments), mayBeCopy: false };
  }
  const mayBeCopy = !areAllKnown;
  const folder = path.slice(0, -1);
  const top = targetIn(importing, folder);
  checkType(limitsIn(caller.account, top), name);
  await onStorage(() => flushUnpacked(content.path, content.size, content.mtime));
  await createMissingFolders(context, caller, top);
  // A file may have the name, or a folder whose name differs in case.
  if (!(await isFolder(context, top))) throw nameTaken(folder.at(-1) ?? '');
  const numbered = (number: number) => [...folder, numberedName(name, number, false)];
  let [number, segments] = [0, begun ?? numbered(1)];
  for (let attempt = 1; ; attempt += 1) {
    const target = targetIn(importing, segments);
    try {
      const { item } = await publishContent(context, caller, target, content.path, {
        mayReplace: false,
        sha256: content.sha256,
      });
      return { itemId: item.id, isOurs: true, mayBeCopy };
    } catch (error) {
      if (!isTaken(error) || attempt === TRIES) throw error;
    }
    const there = await sameFileAt(context, target, content);
    if (there !== null) return { itemId: there, isOurs: isBegun(segments), mayBeCopy: false };
    number = await onStorage(() => freeNumber((one) => isOccupied(context, importing.home, numbered(one)), number + 1));
    segments = numbered(number);
    await begin(segments);
  }
}

/** An item of the own home. */
function targetIn({ home }: Importing, segments: readonly string[]): ItemTarget {
  return { home, segments, base: HOME_BASE, top: 0, share: null };
}

function nameTaken(name: string): ApiError {
  return new ApiError('already_exists', t('api.access.alreadyExists', { name }));
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'already_exists';
}

/** Photos and films are compared with each other; an export may have some of types that are not known. */
function mayBeCopyOf(stored: string): (name: string) => boolean {
  return (name) => isMedia(name) || !isMedia(stored);
}

/** A photo or film of the home that has a content, and is on the disk. @param stored the name that it is stored under otherwise */
async function copyIn(
  { database, disk }: ImportContext,
  { home }: Importing,
  { size, sha256 }: Content,
  stored: string,
): Promise<{ itemId: number; segments: readonly string[] } | null> {
  const rows = await database.all<{ id: number; name: string; identity: string }>(
    `SELECT id, name, identity FROM items WHERE sha256 = ? AND size = ? AND home_id = ? AND is_dir = 0
       AND missing_since IS NULL AND ${IS_PROVEN} ORDER BY id LIMIT ${MAX_COPIES}`,
    [sha256, size, home.id],
  );
  const isRequested = mayBeCopyOf(stored);
  const copies = rows.filter(({ name }) => isRequested(name));
  if (copies.length === 0) return null;
  const places = await locationsOf(
    database,
    copies.map(({ id }) => id),
  );
  for (const { id, identity } of copies) {
    const place = places.get(id);
    if (place?.state !== 'there') continue;
    const { segments } = place;
    const { entry } = await onStorage(() => disk.run('inspect', { homeRoot: home.homeRoot, segments }));
    if (entry?.identity === identity) return { itemId: id, segments };
  }
  return null;
}

/** The id of the file of a name if it has this content. It is read, and flushed as if it had just been stored. */
async function sameFileAt(
  context: ImportContext,
  target: ItemTarget,
  { size, sha256 }: Content,
): Promise<number | null> {
  const { homeRoot } = target.home;
  try {
    return await withFile(context, target, async ({ item, entry }) => {
      if (entry.size !== size) return null;
      const opened = await context.disk.run('open', { homeRoot, segments: target.segments });
      let isSame = false;
      try {
        isSame = (await hashOf(opened.fd, opened.entry.size)).equals(sha256);
      } finally {
        await (isSame ? flushAndClose(opened.fd) : closeFile(opened.fd));
      }
      return isSame ? item.id : null;
    });
  } catch (error) {
    // The name belongs to a folder, or differs in case or form.
    if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_path')) return null;
    throw error;
  }
}
