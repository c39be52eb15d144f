import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { checkStillShared, type ItemTarget, shownName, virtualPathOf } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { checkType, limitsIn } from '../../access/limits.ts';
import type { Reservation } from '../../access/quota.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { knownItem } from '../../catalogue/find.ts';
import { ApiError } from '../../http/errors.ts';
import type { Preconditions } from '../../http/request/preconditions.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import { copyOpened, makeFolder } from '../../storage/content/copy.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import { eraseStored, storedContent } from '../../storage/content/work-area.ts';
import type { DiskEntry, Found, OpenedFile } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushFolder } from '../../storage/flush.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { checkNewName, createFolder } from '../create-folder.ts';
import { copyDeadProperties, hasDeadProperties } from '../dead-properties.ts';
import { emitItemEvent } from '../emit.ts';
import { checkConditions, checkFileConditions, checkItemConditions } from '../item-conditions.ts';
import { checkUnlocked } from '../locks/locks.ts';
import { forEachInParallel } from '../parallel.ts';
import { publishContent } from '../publish/publish-content.ts';
import { publishTree } from '../publish/publish-tree.ts';
import { walk } from '../walk.ts';
import { checkedBytes } from './checked-bytes.ts';
import type { TransferOptions } from './transfer-options.ts';

/**
 * Copies a file, or a folder with its contents. The copy is made in the work area and appears in one step, or not at all.
 * `upload_max_size` limits what clients send and `download` what they receive, so neither applies.
 * @param copyTo the destination folder
 * @returns the path of the copy
 * @throws ApiError `not_found`, `already_exists`, `invalid_path` (a folder into itself), `disk_full`, `type_not_allowed`,
 * `quota_exceeded`, `precondition_failed`
 */
export async function copyItem(
  context: FilesContext,
  caller: AccountCaller,
  named: ItemName,
  copyTo: readonly string[],
  { overwrite, name, conditions = null, check }: TransferOptions,
): Promise<string> {
  const source = await context.access.resolveItem(caller, named, 'files/copy');
  if (source.segments.length === 0) throw new ApiError('invalid_path', t('api.files.copyHome'));
  const folder = await context.access.resolveItem(caller, copyTo, 'files/copy:into');
  return onStorage(async () => {
    const found = await context.disk.run('stat', { homeRoot: source.home.homeRoot, segments: source.segments });
    const { entry } = found;
    await checkItemConditions(context, caller, source, found, conditions);
    if (name !== undefined) checkNewName(name);
    const target = { ...folder, segments: [...folder.segments, name ?? shownName(source, entry.name)] };
    const [inner, outer] = [lockKey(target.home, target.segments), lockKey(source.home, source.segments)];
    if (entry.isDir && inner.startsWith(`${outer}/`)) throw new StorageError('into-itself');
    if (name !== undefined && !entry.isDir) checkType(limitsIn(caller.account, target), name);
    await checkFree(context, target, overwrite && !entry.isDir);
    if (overwrite) await checkUnlocked(context, caller, target);
    const copy: Copy = {
      source,
      found,
      target,
      incoming: join(folder.home.area.incoming, randomUUID()),
      reservation: await reserveCopy(context, caller, source, target, entry),
      copiedFrom: virtualPathOf(source),
      conditions,
      check,
    };
    try {
      return await (entry.isDir ? copyFolder(context, caller, copy) : copyOneFile(context, caller, copy, overwrite));
    } finally {
      copy.reservation.release();
      await eraseStored(copy.incoming);
    }
  });
}

/**
 * Copies a folder without what is in it (RFC 4918 §9.8.3): the properties that WebDAV clients stored with it go with the copy.
 * @param copyTo the destination folder
 * @param name of the copy
 * @throws ApiError `not_found`, `already_exists`, `invalid_name`, `precondition_failed`
 */
export async function copyFolderAlone(
  context: FilesContext,
  caller: AccountCaller,
  named: ItemName,
  copyTo: readonly string[],
  { name, conditions = null, check }: Pick<TransferOptions, 'conditions' | 'check'> & { readonly name: string },
): Promise<void> {
  const { access, disk, database } = context;
  const source = await access.resolveItem(caller, named, 'files/copy');
  const target = await access.resolveItem(caller, copyTo, 'files/copy:into');
  const made = await createFolder(context, caller, copyTo, name, async () => {
    await check?.();
    await checkConditions(context, caller, source, conditions);
  });
  await onStorage(async () => {
    const found = await disk.run('stat', { homeRoot: source.home.homeRoot, segments: source.segments });
    const copy = await database.get<{ id: number }>('SELECT id FROM items WHERE uuid = ?', [made.uuid]);
    if (copy !== undefined) await copyProperties(context, { source, found, target }, copy.id);
  });
}

interface Copy {
  readonly source: ItemTarget;
  readonly found: Found;
  readonly target: ItemTarget;
  /** The path in the work area. */
  readonly incoming: string;
  readonly reservation: Reservation;
  /** The virtual path of the source. */
  readonly copiedFrom: string;
  readonly conditions: Preconditions | null;
  readonly check: TransferOptions['check'];
}

/** Reserves space for all of it, and checks every file type, before the first byte is copied. */
async function reserveCopy(
  context: FilesContext,
  caller: AccountCaller,
  source: ItemTarget,
  target: ItemTarget,
  entry: DiskEntry,
): Promise<Reservation> {
  const bytes = await checkedBytes(context, caller.account, source, target, entry);
  return context.quotas.reserve({ caller, home: target.home, bytes });
}

async function copyOneFile(
  context: FilesContext,
  caller: AccountCaller,
  copy: Copy,
  mayReplace: boolean,
): Promise<string> {
  const { source, target, incoming, reservation, copiedFrom, conditions, check } = copy;
  // It may have grown since it was measured.
  const bytes = await copyFile(context, source, incoming, (found) =>
    checkFileConditions(context, caller, source, found, conditions),
  );
  await reservation.grow(bytes);
  await checkStillShared(source);
  const published = await reservation.settle(() =>
    publishContent(context, caller, target, incoming, {
      mayReplace,
      replaceAction: 'files/upload:replace',
      ...(check === undefined ? {} : { check }),
      copiedFrom,
    }),
  );
  await copyProperties(context, copy, published.item.id);
  return published.path;
}

/** Properties that WebDAV clients stored go with a copy, and replace those of a file that it replaces (RFC 4918 §9.8.2, §9.8.4). */
async function copyProperties(
  { database }: FilesContext,
  { source, found, target }: Pick<Copy, 'source' | 'found' | 'target'>,
  copyId: number,
): Promise<void> {
  const homeIds = new Set([source.home.id, target.home.id]);
  const has = await Promise.all([...homeIds].map((homeId) => hasDeadProperties(database, homeId)));
  if (!has.includes(true)) return;
  const original = await knownItem(database, source.home.id, found);
  await database.write((tx) => copyDeadProperties(tx, original?.id ?? null, copyId));
}

async function copyFolder(context: FilesContext, caller: AccountCaller, copy: Copy): Promise<string> {
  const { reservation } = copy;
  await reservation.grow(await copyTree(context, caller, copy));
  // If another item took its place and was read instead, the copy is discarded.
  await checkStillShared(copy.source);
  return reservation.settle(() => publishFolder(context, caller, copy));
}

/** Checked before a copy that may take long, and again when the name is taken. */
export async function checkFree(
  { disk }: FilesContext,
  { home, segments }: ItemTarget,
  overwrite: boolean,
): Promise<void> {
  const { hasFolder, entry } = await disk.run('inspect', { homeRoot: home.homeRoot, segments });
  if (!hasFolder) throw new StorageError('not-found');
  if (entry !== null && (!overwrite || entry.isDir)) throw new StorageError('taken', entry.name);
}

/**
 * Copies a file into the work area, and flushes it.
 * @param check throws to refuse the file that was opened
 * @returns bytes of the copy
 */
export async function copyFile(
  context: FilesContext,
  { home, segments }: ItemTarget,
  to: string,
  check?: (found: Found) => Promise<void>,
): Promise<number> {
  const opened: OpenedFile = await context.disk.run('open', { homeRoot: home.homeRoot, segments }).catch((error) => {
    // It was a file a moment ago, but has disappeared.
    if (error instanceof StorageError && error.reason === 'is-a-folder') throw new StorageError('not-found');
    throw error;
  });
  try {
    await check?.(opened);
    await copyOpened(opened, to, context.failPoints);
    return (await storedContent(to))?.size ?? 0;
  } finally {
    await closeFile(opened.fd);
  }
}

/**
 * The lanes share one walk through the tree, so the number of open files is limited whatever its shape. Files that disappear
 * meanwhile are left out; an unreadable name ends the copy.
 * @returns bytes of all copies
 */
async function copyTree(
  context: FilesContext,
  caller: AccountCaller,
  { source, target, incoming: to }: Copy,
): Promise<number> {
  const limits = limitsIn(caller.account, target);
  let bytes = 0;
  const folders = [to];
  await makeFolder(to);
  async function* files(): AsyncGenerator<readonly string[]> {
    for await (const { segments, entry } of walk(context.disk, source)) {
      if (!entry.isDir) {
        checkType(limits, entry.name, virtualPathOf(source, [...source.segments, ...segments]));
        yield segments;
        continue;
      }
      const folder = join(to, ...segments);
      // Folders are created before their contents are copied.
      await makeFolder(folder);
      folders.push(folder);
    }
  }
  await forEachInParallel(files(), async (segments) => {
    const file = { ...source, segments: [...source.segments, ...segments] };
    const copied = await copyFile(context, file, join(to, ...segments)).catch((error) => {
      if (!(error instanceof StorageError) || error.reason !== 'not-found') throw error;
      return 0;
    });
    bytes += copied;
  });
  failPoint(context.failPoints, 'files.copy.flush-folders');
  await forEachInParallel(folders, flushFolder);
  return bytes;
}

async function publishFolder(context: FilesContext, caller: AccountCaller, copy: Copy): Promise<string> {
  const { source, target, incoming, copiedFrom, conditions, check } = copy;
  const { path, item } = await publishTree(context, caller, target, incoming, {
    async check() {
      await check?.();
      // Of a folder that was changed while it was read, the copy is not what was asked for.
      await checkConditions(context, caller, source, conditions);
    },
    onPublished: ({ item, path }) =>
      emitItemEvent(context, 'folder.created', caller, target, { itemId: item.id, path, copiedFrom }),
  });
  await copyProperties(context, copy, item.id);
  return path;
}
