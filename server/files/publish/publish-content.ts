import { checkStillShared, homePathOf, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import { type Caller, responsibleId } from '../../access/caller.ts';
import { type FileAction, permitInShare } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { knownContent } from '../../catalogue/find.ts';
import type { Item } from '../../catalogue/items.ts';
import { WAIT_TO_PUBLISH } from '../../lib/concurrency/path-locks.ts';
import { isHiddenName } from '../../lib/names/hidden-names.ts';
import { newNameProblem } from '../../lib/names/names.ts';
import { storedContent } from '../../storage/content/work-area.ts';
import type { Published } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushAndClose, flushEach } from '../../storage/flush.ts';
import { quoted } from '../content-tag.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { checkNewName } from '../create-folder.ts';
import { emitItemEvent } from '../emit.ts';
import { checkNewEntryUnlocked, checkUnlocked } from '../locks/locks.ts';
import { noteSuccessor } from '../move/vacated.ts';
import { setFileTime } from '../set-file-time.ts';
import { eraseVersionsLater, surplusVersions } from '../versions/version-limits.ts';
import { previousContentPath, retainAs } from './previous-content.ts';
import { forgetWrite, nextTurn, noteWrite, type RecentWrite, recentWriteOf } from './recent-writes.ts';
import { recordContent } from './record-content.ts';
import { isSameContent, type PresentItem } from './same-content.ts';
import { isStill, supersededBy } from './superseded.ts';

export interface PublishOptions {
  /** Whether it may replace a file of that name; the default is yes. */
  readonly mayReplace?: boolean;
  /** The right needed to replace a file, if it needs more than was checked already. */
  readonly replaceAction?: FileAction;
  /** Throws to prevent the publication; nothing else changes the path from then on. */
  readonly check?: () => Promise<void>;
  /** The path of another file the content was copied from. */
  readonly copiedFrom?: string;
  /** The number of the version the content was restored from. */
  readonly restoredFrom?: number;
  /** SHA-256 of the content, if known. */
  readonly sha256?: Buffer | undefined;
  /** Whether a file that has this content already stays as it is. */
  readonly mayStay?: boolean;
  /** The modification time that it has then, in milliseconds since the epoch; by default its own. */
  readonly time?: number | undefined;
  /** The program (account, credential and device) that writes it. What it has just written itself is then no version. */
  readonly program?: string | undefined;
}

export interface PublishedContent {
  readonly item: Item;
  /** Virtual, in the spelling of the disk. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly isNew: boolean;
  /** Whether the file had this content already. The incoming content is still in the work area then. */
  readonly isUnchanged: boolean;
  /** Strong validator of the content, with its quotes. */
  readonly etag: string;
}

/**
 * Whether a file of this name exists and can be replaced.
 * @param mayMakeFolders whether missing folders will be made
 * @throws StorageError, and ApiError `invalid_name` for a new name that no file may have
 */
export async function isFileThere(
  { disk }: FilesContext,
  { home, segments }: ItemTarget,
  mayMakeFolders: boolean,
): Promise<boolean> {
  const { hasFolder, entry } = await disk.run('inspect', { homeRoot: home.homeRoot, segments });
  if (!hasFolder && !mayMakeFolders) throw new StorageError('not-found');
  if (entry?.isDir) throw new StorageError('taken', entry.name);
  if (entry === null) checkNewName(segments.at(-1) ?? '');
  return entry !== null;
}

/**
 * Gives a flushed content of the work area its name, and retains the content it replaces.
 * @throws ApiError `not_found` (no such folder), `already_exists`, `invalid_name`, `conflict`
 */
export function publishContent(
  context: FilesContext,
  caller: Caller,
  target: ItemTarget,
  incoming: string,
  {
    mayReplace = true,
    replaceAction,
    check,
    copiedFrom,
    restoredFrom,
    sha256,
    mayStay = false,
    time,
    program,
  }: PublishOptions = {},
): Promise<PublishedContent> {
  const { home, segments } = target;
  const once = (isKnown: boolean) =>
    context.pathLocks.run(
      [lockKey(home, segments)],
      () =>
        context.catalogue.changing(home, async () => {
          await checkStillShared(target);
          await check?.();
          await checkFolderUnlocked(context, caller, target);
          const fresh = await publishNew(context, caller, target, { incoming, sha256 }, mayReplace);
          if (fresh === null && replaceAction !== undefined) permitInShare(target.share, replaceAction);
          const isLooked = mayStay || !isKnown || program !== undefined;
          const present = fresh === null && isLooked ? await presentItem(context, target) : null;
          if (fresh === null && !isKnown && present === null) return null;
          if (fresh === null) await checkUnlocked(context, caller, target);
          const isSame =
            present !== null &&
            mayStay &&
            sha256 !== undefined &&
            (await isSameContent(context, caller, target, present, { incoming, sha256 })) &&
            (await takesTime(context, target, present, time));
          if (isSame) {
            // It has been stored for someone else as well, so it is no longer a step of a save.
            if (recentWriteOf(context, present.item.id)?.program !== program) forgetWrite(context, present.item.id);
            const same = publishedAs(target, { entry: present.entry, replaced: null }, present.item);
            return { ...same, isNew: false, isUnchanged: true };
          }
          const run =
            present === null || program === undefined
              ? null
              : await supersededBy(context, caller, target, present, { program, incoming });
          const published = fresh ?? (await publishOver(context, caller, target, { incoming, sha256, run }));
          const { isNew, item, path, size } = published;
          if (program !== undefined) {
            const at = context.clock.now();
            const isNewFile = isNew || run?.isNewFile === true;
            const since = run?.since ?? at;
            noteWrite(context, item.id, { program, tag: item.tag, since, at, isNewFile, turn: nextTurn() });
            if (isNew) noteSuccessor(context, program, { itemId: item.id, target });
          }
          const event = { itemId: item.id, path, size, version: item.version };
          const from = { copiedFrom: copiedFrom ?? null, restoredFrom: restoredFrom ?? null };
          emitItemEvent(context, isNew ? 'file.created' : 'file.overwritten', caller, target, { ...event, ...from });
          return published;
        }),
      WAIT_TO_PUBLISH,
    );
  return onStorage(async () => {
    await context.catalogue.ensureFolderRows(home, segments.slice(0, -1));
    const published = await once(false);
    if (published !== null) return published;
    // A file that another program moved here keeps its row, and its history gets one more content.
    await context.catalogue.ensureItemRow(home, segments);
    return (await once(true)) as PublishedContent;
  });
}

/**
 * Gives a file that keeps its content a modification time.
 * @param time milliseconds since the epoch
 * @returns false where the system refuses it, because the file is another user's: then the content that has arrived replaces it
 */
async function takesTime(
  context: FilesContext,
  target: ItemTarget,
  { entry }: PresentItem,
  time: number | undefined,
): Promise<boolean> {
  if (time === undefined || time === entry.mtime) return true;
  try {
    await setFileTime(context, target, time);
    return true;
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'denied') return false;
    throw error;
  }
}

/** A lock of the folder protects which entries it has, and not the content of one that it has already. */
async function checkFolderUnlocked(context: FilesContext, caller: Caller, target: ItemTarget): Promise<void> {
  const { home, segments } = target;
  if (!(await context.folderLocks.mayExistIn(context.database, home.id))) return;
  const { entry } = await context.disk.run('inspect', { homeRoot: home.homeRoot, segments });
  if (entry === null) await checkNewEntryUnlocked(context, caller, target);
}

/** @returns null for a file without a row */
async function presentItem(
  { disk, database }: FilesContext,
  { home, segments }: ItemTarget,
): Promise<PresentItem | null> {
  const found = await disk.run('stat', { homeRoot: home.homeRoot, segments });
  const known = await knownContent(database, home.id, found);
  return known && { ...known, entry: found.entry };
}

/** A flushed content of the work area: its path, and its SHA-256 if known. */
interface Incoming {
  readonly incoming: string;
  readonly sha256: Buffer | undefined;
}

/** Most names are new, so this is tried first. @returns null when a file is to be replaced */
async function publishNew(
  context: FilesContext,
  caller: Caller,
  target: ItemTarget,
  { incoming, sha256 }: Incoming,
  mayReplace: boolean,
): Promise<PublishedContent | null> {
  const { disk } = context;
  const { home, segments } = target;
  const name = segments.at(-1) ?? '';
  // A name that no new file may have can still belong to a file that another program created.
  if (newNameProblem(name) !== null && (await isFileThere(context, target, false))) {
    if (!mayReplace) throw new StorageError('taken', name);
    return null;
  }
  let published: Published;
  try {
    published = await disk.run('publish', { homeRoot: home.homeRoot, parent: segments.slice(0, -1), name, incoming });
  } catch (error) {
    const isTaken = error instanceof StorageError && error.reason === 'taken';
    if (isTaken && mayReplace && (await isFileThere(context, target, false))) return null;
    throw error;
  }
  return publishedAs(
    target,
    published,
    await context.catalogue.recordNew(responsibleId(caller), home, published, sha256),
  );
}

/** What replaces a content. */
interface Replacement extends Incoming {
  /** The write that it supersedes, if the replaced content need not be kept. */
  readonly run: RecentWrite | null;
}

/** Retain the old content, rename, flush the folder, then write the rows: each step after the one before, all journalled. */
async function publishOver(
  context: FilesContext,
  caller: Caller,
  target: ItemTarget,
  { incoming, sha256, run }: Replacement,
): Promise<PublishedContent> {
  const { database, disk, journal, settings, clock } = context;
  const { home, segments } = target;
  const isPassing = run !== null || isHiddenName(segments.at(-1) ?? '');
  // What is forgotten at once is a version until then. After a crash it stays one.
  const limits = isPassing ? { versionsKept: 1 } : settings.values;
  const kept = retainAs(limits, homePathOf(segments), responsibleId(caller), clock.now());
  const journalId = await database.write((tx) =>
    journal.begin(tx, { kind: 'overwrite', homeId: home.id, segments: [...segments], kept }),
  );
  try {
    const published = await disk.run('publishOver', {
      homeRoot: home.homeRoot,
      parent: segments.slice(0, -1),
      name: segments.at(-1) ?? '',
      incoming,
      retainAs: previousContentPath(home, kept),
    });
    const unflushed = await flushEach([flushAndClose(published.folderFd)]);
    const stored = run === null ? null : await storedContent(previousContentPath(home, kept));
    const { item, surplus } = await database.write(async (tx) => {
      await journal.end(tx, journalId);
      const { item, before } = await recordContent(tx, home.id, published, kept, sha256);
      const isForgotten = isPassing && (run === null || isStill(run, before, published.replaced, stored));
      return { item, surplus: await surplusVersions(context, tx, home.id, item.id, isForgotten ? [kept.id] : []) };
    });
    if (unflushed !== null) throw unflushed;
    eraseVersionsLater(context, home, surplus);
    return publishedAs(target, published, item);
  } catch (error) {
    // A failure before the rename changed nothing; one after it is finished by `journal/repair.ts`.
    if (error instanceof StorageError) await database.write((tx) => journal.end(tx, journalId));
    throw error;
  }
}

function publishedAs(
  target: ItemTarget,
  { entry, replaced }: Pick<Published, 'entry' | 'replaced'>,
  item: Item,
): PublishedContent {
  const path = virtualPathOf(target, [...target.segments.slice(0, -1), entry.name]);
  const etag = quoted(item.tag);
  return { item, path, name: entry.name, size: entry.size, isNew: replaced === null, isUnchanged: false, etag };
}
