import { createHash } from 'node:crypto';
import { type FoundItem, itemFound } from '../catalogue/find.ts';
import { recordProofs, recordTouch } from '../catalogue/hashing/record-proof.ts';
import type { Home } from '../catalogue/homes.ts';
import { isUpToDate, updateFromDisk } from '../catalogue/items.ts';
import { provenSince } from '../catalogue/known-contents.ts';
import { systemFailure } from '../http/system-failure.ts';
import { LockTimeout } from '../lib/concurrency/path-locks.ts';
import { chunksOf, closeFile } from '../storage/content/send-bytes.ts';
import type { DiskEntry, Found } from '../storage/disk/disk.ts';
import { isTouchSettled, untilTouchSettled } from '../storage/disk/time-resolution.ts';
import { StorageError } from '../storage/errors.ts';
import { type ContentsContext, type ItemsContext, lockKey } from './context.ts';

/** Bytes. A larger file is not read while a request waits. */
export const MAX_READ = 64 * 1_024 * 1_024;

/** The entity tag of the content of a file (RFC 9110 §8.8.3). */
export interface ContentTag {
  /** Strong, with its quotes. Of an unproven content it is for this reply only: no condition is met by it. */
  readonly etag: string;
  /**
   * Whether the content is known to be that of the tag. It is not after the file was touched, as by changing its permissions, or
   * replaced by a copy, until it was read again: a program can change a file in place and set its time back.
   */
  readonly isProven: boolean;
}

/** An entity tag as in HTTP headers. @param tag of a row */
export function quoted(tag: string): string {
  return `"${tag}"`;
}

/**
 * The tag of the content of a file just found. To prove it, a file of at most 64 MiB is read. Creates no row: the file may be about
 * to get another name.
 * @throws StorageError
 */
export async function contentTag(context: ContentsContext, home: Home, found: Found): Promise<ContentTag> {
  const { catalogue, database } = context;
  const { entry } = found;
  const names = namesOf(found);
  const present = () => catalogue.contents.at(home.id, names);
  const known = await present();
  const tag = tagOf(known, entry);
  if (tag !== null) return tag;
  // The catalogue learns of another file here when it compares the folder, which may find that it was moved.
  if (known === null || !mayBeContentOf(known, entry)) return unproven(entry);
  try {
    const { id, identity } = known.item;
    await untilTouchSettled(entry.touched);
    if (identity !== entry.identity) await database.write((tx) => updateFromDisk(tx, id, entry));
    else if (!isUpToDate(known.item, entry)) await database.write((tx) => recordTouch(tx, id, entry));
    const isProven = tagOf(await present(), entry) !== null || (await proveContent(context, home, found, id, MAX_READ));
    return (isProven ? tagOf(await present(), entry) : null) ?? unproven(entry);
  } catch (error) {
    // A database that cannot be written keeps nobody from reading.
    if (error instanceof StorageError || systemFailure(error) === null) throw error;
    return unproven(entry);
  }
}

/**
 * The same for a reader: what the catalogue does not know yet of the file, it learns. Not to be called with the path locked.
 * @throws StorageError
 */
export async function contentTagForReader(
  context: Omit<ItemsContext, 'access'>,
  home: Home,
  found: Found,
): Promise<ContentTag> {
  const names = namesOf(found);
  const known = await context.catalogue.contents.at(home.id, names);
  if (known?.item.identity !== found.entry.identity) {
    try {
      await context.catalogue.ensureItemRow(home, names);
      await context.pathLocks.run([lockKey(home, names)], async () => {
        const now = await context.disk.run('stat', { homeRoot: home.homeRoot, segments: names });
        await itemFound(context.database, home.id, now);
      });
    } catch (error) {
      // Who reads does not wait for those who write for long, and a file that has gone since is still open.
      const isPassing = error instanceof LockTimeout || (error instanceof StorageError && error.reason === 'not-found');
      if (!isPassing && (error instanceof StorageError || systemFailure(error) === null)) throw error;
      return unproven(found.entry);
    }
  }
  return contentTag(context, home, found);
}

/** Whether a file is that of a row, or may be a copy of it in its place: of the same size and time, and with a hash to compare with. */
function mayBeContentOf({ item, sha256 }: FoundItem, entry: DiskEntry): boolean {
  return (
    item.identity === entry.identity ||
    (sha256 !== null && !entry.isDir && item.size === entry.size && item.mtime === entry.mtime)
  );
}

function tagOf(found: FoundItem | null, { identity, touched }: DiskEntry): ContentTag | null {
  const isThis = found?.item.identity === identity && provenSince(found) === touched;
  return isThis ? { etag: quoted(found.item.tag), isProven: true } : null;
}

function unproven({ identity, touched }: DiskEntry): ContentTag {
  const digest = createHash('sha256').update(`${identity} ${touched}`).digest();
  return { etag: quoted(digest.subarray(0, 18).toString('base64url')), isProven: false };
}

/**
 * Reads a file whose content may have changed, and records it.
 * @param most bytes: a larger file is not read
 * @returns false when it is too large, or is being changed
 * @throws StorageError
 */
export async function proveContent(
  { database, disk }: Omit<ContentsContext, 'catalogue'>,
  home: Home,
  found: Found,
  id: number,
  most: number,
): Promise<boolean> {
  const { entry } = found;
  if (entry.size > most) return false;
  const { homeRoot } = home;
  const segments = namesOf(found);
  const opened = await disk.run('open', { homeRoot, segments });
  let sha256: Buffer;
  try {
    if (!isSame(opened.entry, entry) || !isTouchSettled(entry.touched, Date.now())) return false;
    sha256 = await disk.whileAnswering(homeRoot, () => hashOf(opened.fd, entry.size));
  } finally {
    await closeFile(opened.fd);
  }
  const after = await disk.run('stat', { homeRoot, segments });
  if (!isSame(after.entry, entry)) return false;
  const { identity, touched } = entry;
  await database.write((tx) => recordProofs(tx, [{ id, identity, touched, sha256 }]));
  return true;
}

/** From below the root of the home. */
function namesOf({ parents, entry }: Found): string[] {
  return [...parents.slice(1).map(({ name }) => name), entry.name];
}

function isSame(one: DiskEntry, other: DiskEntry): boolean {
  return one.identity === other.identity && one.touched === other.touched;
}

/** The SHA-256 of an open file. */
export async function hashOf(fd: number, size: number): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(fd, size)) hash.update(chunk);
  return hash.digest();
}
