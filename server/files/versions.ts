import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ItemTarget } from '../access/access.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { itemFound } from '../catalogue/find.ts';
import type { Item } from '../catalogue/items.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { eraseStored, type OpenedContent, openStored } from '../storage/area.ts';
import { copyStored } from '../storage/copy.ts';
import type { DiskEntry } from '../storage/disk.ts';
import { StorageError } from '../storage/errors.ts';
import { type FilesContext, lockKey } from './context.ts';
import { publishContent } from './publish-content.ts';
import { eraseVersions, forgetVersions } from './version-limits.ts';

/** A content of a file, now or before. */
export interface Version {
  readonly version: number;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  /** Who brought it; null when another program did, or the account is gone. */
  readonly by: string | null;
}

interface VersionRow {
  id: string;
  version: number;
  size: number;
  mtime: number;
}

/** All contents of a file, the newest first, which is the one it has now. @throws ApiError `not_found`, `invalid_path` */
export async function listVersions(
  context: FilesContext,
  account: AccountRecord,
  path: readonly string[],
): Promise<Version[]> {
  const { item, entry } = await fileAt(context, await context.access.resolveItem(account, path));
  const named = 'trim(accounts.name || \' \' || accounts.last_name) AS "by"';
  const old = await context.database.all<Version>(
    `SELECT version, size, mtime, ${named} FROM versions LEFT JOIN accounts ON accounts.id = changed_by
     WHERE item_id = ? ORDER BY version DESC`,
    [item.id],
  );
  const who = await context.database.get<{ by: string }>(`SELECT ${named} FROM accounts WHERE id = ?`, [
    item.changedBy,
  ]);
  return [{ version: item.version, size: entry.size, mtime: entry.mtime, by: who?.by ?? null }, ...old];
}

/**
 * Opens an old content.
 * @returns null when the number is that of the present one, which has a name of its own
 * @throws ApiError `not_found`
 */
export async function openVersion(
  context: FilesContext,
  target: ItemTarget,
  version: number,
): Promise<{ entry: DiskEntry; content: OpenedContent } | null> {
  const { item, entry } = await fileAt(context, target);
  if (version === item.version) return null;
  const { id } = await versionRow(context, item, version);
  return { entry, content: await onStorage(() => openStored(join(target.home.area.versions, id))) };
}

/**
 * Makes an old content the present one. Nothing is lost: the present one becomes a version, and the old one stays.
 * @returns the number that it has now
 * @throws ApiError `not_found`
 */
export async function restoreVersion(
  context: FilesContext,
  account: AccountRecord,
  path: readonly string[],
  version: number,
): Promise<{ path: string; version: number }> {
  const target = await context.access.resolveItem(account, path);
  const { item } = await fileAt(context, target);
  if (version === item.version) throw invalidParameter('version', 'is that of the content the file has already');
  const { id } = await versionRow(context, item, version);
  const incoming = join(target.home.area.incoming, randomUUID());
  try {
    // A copy: another name for the same content would change with the file when a program writes into it.
    await onStorage(() => copyStored(join(target.home.area.versions, id), incoming, context.failPoints));
    const published = await publishContent(context, account, target, incoming);
    return { path: published.path, version: published.item.version };
  } finally {
    await eraseStored(incoming);
  }
}

/** Removes an old content for good. @throws ApiError `not_found`, `invalid_parameter` for the present one */
export async function deleteVersion(
  context: FilesContext,
  account: AccountRecord,
  path: readonly string[],
  version: number,
): Promise<void> {
  const target = await context.access.resolveItem(account, path);
  await onStorage(() =>
    context.locks.run([lockKey(target.home, target.segments)], async () => {
      const { item } = await fileAt(context, target);
      if (version === item.version) throw invalidParameter('version', 'is that of the content the file has now');
      const { id } = await versionRow(context, item, version);
      const forgotten = await context.database.write((tx) => forgetVersions(context, tx, target.home.id, [id]));
      if (forgotten !== null) await eraseVersions(context, target.home, forgotten);
    }),
  );
}

function fileAt(
  { disk, database }: FilesContext,
  { home, segments }: ItemTarget,
): Promise<{ item: Item; entry: DiskEntry }> {
  return onStorage(async () => {
    const found = await disk.run('stat', { place: home.place, segments });
    if (found.entry.isDir) throw new StorageError('is-a-folder');
    return { item: await itemFound(database, home.id, found), entry: found.entry };
  });
}

async function versionRow({ database }: FilesContext, item: Item, version: number): Promise<VersionRow> {
  const row = await database.get<VersionRow>(
    'SELECT id, version, size, mtime FROM versions WHERE item_id = ? AND version = ?',
    [item.id, version],
  );
  if (row === undefined) throw new ApiError('not_found', 'The file has no such version.');
  return row;
}
