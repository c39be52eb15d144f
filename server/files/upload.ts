import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type ItemTarget, virtualPathOf } from '../access/access.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home } from '../catalogue/homes.ts';
import { ApiError } from '../http/errors.ts';
import { eraseStored } from '../storage/area.ts';
import { StorageError } from '../storage/errors.ts';
import { flushAndClose, flushEach } from '../storage/flush.ts';
import { receive } from '../storage/receive.ts';
import { type FilesContext, lockKey } from './context.ts';
import { checkNewName, createMissingFolders } from './create-folder.ts';
import { recordContent } from './record-content.ts';

/** Content that has arrived and been flushed, and has no name yet. */
export interface ReceivedFile {
  readonly home: Home;
  readonly path: string;
  readonly size: number;
}

export interface UploadTarget {
  /** §4.2: the folder must exist. Decides when both are given. */
  readonly path?: readonly string[] | undefined;
  /** §4.2: missing folders are made. */
  readonly filePath?: readonly string[] | undefined;
}

export interface UploadedFile {
  path: string;
  filename: string;
  fileSize: number;
  uuid: string;
  version: number;
}

/** Refuses what could not be published anyway, before its content is taken. @throws ApiError */
export async function checkUpload(context: FilesContext, account: AccountRecord, where: UploadTarget): Promise<void> {
  const target = await targetOf(context, account, where);
  await onStorage(() => lookAt(context, target, where.path === undefined));
}

/**
 * Whether a file of this name is there to be replaced.
 * @param mayMakeFolders whether missing folders will be made
 * @throws StorageError, and ApiError `invalid_name` for a new name that no file may have
 */
async function lookAt(
  { disk }: FilesContext,
  { home, segments }: ItemTarget,
  mayMakeFolders: boolean,
): Promise<boolean> {
  const { hasFolder, entry } = await disk.run('look', { place: home.place, segments });
  if (!hasFolder && !mayMakeFolders) throw new StorageError('not-found');
  if (entry?.isDir) throw new StorageError('taken', entry.name);
  if (entry === null) checkNewName(segments.at(-1) ?? '');
  return entry !== null;
}

/** Takes content into the work area of the home it is meant for. @throws ApiError; nothing is left then */
export function receiveUpload(
  context: FilesContext,
  home: Home,
  content: Readable,
  announced: number | null,
): Promise<ReceivedFile> {
  return onStorage(async () => {
    const path = join(home.area.incoming, randomUUID());
    const size = await receive(content, {
      path,
      announced,
      limit: Number.MAX_SAFE_INTEGER,
      failPoints: context.failPoints,
    });
    return { home, path, size };
  });
}

export async function dropUpload(received: ReceivedFile): Promise<void> {
  await eraseStored(received.path);
}

/**
 * Gives received content its name. What stood there becomes a version.
 * @returns the file, and whether it is new
 * @throws ApiError `not_found` (no such folder), `already_exists` (a folder, or a twin of the name), `conflict`
 */
export async function publishUpload(
  context: FilesContext,
  account: AccountRecord,
  where: UploadTarget,
  received: ReceivedFile,
): Promise<{ file: UploadedFile; isNew: boolean }> {
  const target = await targetOf(context, account, where);
  const { home, segments } = target;
  if (home.id !== received.home.id)
    throw new ApiError('conflict', 'The path changed its home while the file was sent.');
  const parent = segments.slice(0, -1);
  if (where.path === undefined) await createMissingFolders(context, account, { ...target, segments: parent });
  return onStorage(() =>
    context.locks.run([lockKey(home, segments)], () =>
      context.catalogue.changing(home, () => publish(context, account, target, received)),
    ),
  );
}

/** Flush, keep the old, rename, flush the folder, then the row; each step only after the one before. */
async function publish(
  context: FilesContext,
  account: AccountRecord,
  target: ItemTarget,
  received: ReceivedFile,
): Promise<{ file: UploadedFile; isNew: boolean }> {
  const { database, disk, journal, events } = context;
  const { home, segments } = target;
  const parent = segments.slice(0, -1);
  const versionId = randomUUID();
  const overwrites = await lookAt(context, target, false);
  const journalId = overwrites
    ? await database.write((tx) =>
        journal.begin(tx, { kind: 'overwrite', homeId: home.id, segments: [...segments], versionId }),
      )
    : null;
  try {
    const published = await disk.run('publish', {
      place: home.place,
      parent,
      name: segments.at(-1) ?? '',
      incoming: received.path,
      keepAs: join(home.area.versions, versionId),
    });
    const unflushed = await flushEach([flushAndClose(published.folderFd)]);
    const item = await database.write(async (tx) => {
      if (journalId !== null) await journal.end(tx, journalId);
      return recordContent(tx, home.id, published, versionId, context.clock.now());
    });
    if (unflushed !== null) throw unflushed;
    const { entry, replaced } = published;
    const path = virtualPathOf(target.base, [...parent, entry.name]);
    const isNew = replaced === null;
    events.emit(isNew ? 'file.created' : 'file.overwritten', {
      accountId: account.id,
      homeId: home.id,
      itemId: item.id,
      path,
    });
    return {
      file: { path, filename: entry.name, fileSize: entry.size, uuid: item.uuid, version: item.version },
      isNew,
    };
  } catch (error) {
    // A failure before the rename changed nothing; one after it is finished at the next start, from the journal.
    if (journalId !== null && error instanceof StorageError) await database.write((tx) => journal.end(tx, journalId));
    throw error;
  }
}

async function targetOf(
  { access }: FilesContext,
  account: AccountRecord,
  { path, filePath }: UploadTarget,
): Promise<ItemTarget> {
  const asked = path ?? filePath;
  if (asked === undefined)
    throw new ApiError('missing_parameter', 'Send "path" or "filePath".', { details: { parameter: 'path' } });
  const target = await access.resolveItem(account, asked);
  if (target.segments.length === 0)
    throw new ApiError('invalid_path', 'The path of an upload ends with the name of a file.');
  return target;
}
