import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type ItemTarget, virtualPathOf } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { checkType, limitsIn } from '../../access/limits.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { displayName } from '../../accounts/account-record.ts';
import { accountsByIds } from '../../accounts/account-rows.ts';
import type { Item } from '../../catalogue/items.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import type { Preconditions } from '../../http/request/preconditions.ts';
import { t } from '../../messages/messages.ts';
import { copyStored } from '../../storage/content/copy.ts';
import { type InheritedFile, inheritAt, inheritFile } from '../../storage/content/inherited-file.ts';
import { eraseStored, type OpenedContent, openStored, storedContent } from '../../storage/content/work-area.ts';
import { type ContentTag, contentTag } from '../content-tag.ts';
import type { FilesContext } from '../context.ts';
import { emitItemEvent } from '../emit.ts';
import { checkFileConditions } from '../item-conditions.ts';
import { nameForCaller } from '../locks/lock-holder.ts';
import { publishContent } from '../publish/publish-content.ts';
import { fileAt, withFile } from '../with-file.ts';
import { eraseVersions, forgetVersions } from './version-limits.ts';
import { type VersionRow, versionOf, versionsOf } from './version-rows.ts';

/** A present or earlier content of a file. */
export interface Version {
  readonly version: number;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  /**
   * When it became the present content, in milliseconds since the epoch: null for the oldest one kept, and where the one before it
   * is gone.
   */
  readonly savedAt: number | null;
  /** Who uploaded it; null when another program wrote it, or the account is gone. */
  readonly by: string | null;
}

/** How often a restore is retried when the file changes during it. */
const TRIES = 5;

/**
 * All contents of a file that the caller may see, newest first, the present one included. In a share, these are the contents that
 * the file has had since the share began.
 * @throws ApiError `not_found`, `invalid_path`
 */
export async function listVersions(context: FilesContext, caller: AccountCaller, named: ItemName): Promise<Version[]> {
  return versionsAt(context, caller, await context.access.resolveItem(caller, named, 'files/versions/list'));
}

/** The same for a file that was resolved with the right `files/versions/list`. */
export async function versionsAt(context: FilesContext, caller: AccountCaller, target: ItemTarget): Promise<Version[]> {
  return withFile(context, target, async ({ item, entry }) => {
    const old = await versionsOf(context.database, item.id, sinceOf(target));
    const present = { version: item.version, size: entry.size, mtime: entry.mtime, changedBy: item.changedBy };
    const all: VersionOf[] = [present, ...old];
    const names = await namesOf(context, caller, target, all);
    return all.map(({ version, size, mtime, changedBy }, index) => {
      // The content before it was replaced at that moment.
      const before = old[index];
      const savedAt = before?.version === version - 1 ? before.storedAt : null;
      return { version, size, mtime, savedAt, by: names.get(changedBy ?? 0) ?? null };
    });
  });
}

/** Contents replaced before this time are not the caller's to see. */
function sinceOf({ share }: ItemTarget): number {
  return share?.since ?? 0;
}

type VersionOf = Omit<Version, 'by' | 'savedAt'> & { readonly changedBy: number | null };

/** In a share, only the names of accounts the caller may know of. */
async function namesOf(
  context: FilesContext,
  caller: AccountCaller,
  { share }: ItemTarget,
  versions: readonly VersionOf[],
): Promise<Map<number, string>> {
  const ids = [...new Set(versions.flatMap(({ changedBy }) => changedBy ?? []))];
  if (share === null) {
    const accounts = await accountsByIds(context.database, ids);
    return new Map(accounts.map((account) => [account.id, displayName(account)]));
  }
  const names = new Map<number, string>();
  for (const id of ids) {
    const name = await nameForCaller(context, caller, id, share);
    if (name !== null) names.set(id, name);
  }
  return names;
}

/** A content that was opened by its number. The caller closes it. */
interface OpenedVersion extends Omit<OpenedContent, 'identity' | 'touched'>, ContentTag {
  readonly name: string;
  /** For a worker that reads it. */
  inherit(): InheritedFile;
}

/** Opens the present or an earlier content by its number. @throws ApiError `not_found` */
export async function openVersion(context: FilesContext, target: ItemTarget, version: number): Promise<OpenedVersion> {
  const { home, segments } = target;
  return withFile(context, target, async ({ item, entry }) => {
    const { name } = entry;
    if (version === item.version) {
      const opened = await context.disk.run('open', { homeRoot: home.homeRoot, segments });
      const { size, mtime } = opened.entry;
      const tag = await contentTag(context, home, opened);
      return { name, fd: opened.fd, size, mtime, ...tag, inherit: () => inheritFile(home.homeRoot, opened) };
    }
    const { id } = await versionRow(context, target, item, version);
    const path = join(home.area.versions, id);
    const opened = await context.disk.whileAnswering(home.homeRoot, () => openStored(path));
    return { name, isProven: true, ...opened, inherit: () => inheritAt(path, opened.fd) };
  });
}

/**
 * Makes an earlier content the present one. Nothing is lost: the present one becomes a version, and the restored version stays.
 * @returns its new number
 * @throws ApiError `not_found`, `type_not_allowed`, `quota_exceeded`, `conflict` when the file keeps changing,
 * `precondition_failed`
 */
export async function restoreVersion(
  context: FilesContext,
  caller: AccountCaller,
  named: ItemName,
  version: number,
  conditions: Preconditions | null = null,
): Promise<{ path: string; version: number }> {
  const target = await context.access.resolveItem(caller, named, 'files/versions/restore');
  checkType(limitsIn(caller.account, target), target.segments.at(-1) ?? '');
  for (let attempt = 1; ; attempt += 1) {
    const old = await withFile(context, target, async (there) => {
      await checkFileConditions(context, caller, target, there, conditions);
      return oldVersion(context, target, there.item, version);
    });
    const { id } = old;
    const stored = join(target.home.area.versions, id);
    const reservation = await context.quotas.reserve({ caller, home: target.home, bytes: old.size });
    const incoming = join(target.home.area.incoming, randomUUID());
    let isSame = true;
    // The copy is made without a lock, so by then the path may belong to another file or to none.
    const check = async () => {
      const there = await fileAt(context, target);
      await checkFileConditions(context, caller, target, there, conditions);
      isSame = (await oldVersion(context, target, there.item, version)).id === id;
      if (!isSame) throw new ApiError('conflict', t('api.versions.changed'));
    };
    try {
      // A copy, because a hard link would change with the file when a program writes into it.
      await onStorage(() => copyStored(stored, incoming, context.failPoints));
      const sha256 = await sha256Of(old, stored);
      const published = await reservation.settle(() =>
        publishContent(context, caller, target, incoming, { check, restoredFrom: version, sha256 }),
      );
      return { path: published.path, version: published.item.version };
    } catch (error) {
      if (isSame || attempt === TRIES) throw error;
    } finally {
      reservation.release();
      await eraseStored(incoming);
    }
  }
}

async function oldVersion(context: FilesContext, target: ItemTarget, item: Item, version: number): Promise<VersionRow> {
  if (version === item.version) throw invalidParameter('version', t('api.versions.restoreCurrent'));
  return versionRow(context, target, item, version);
}

/** The recorded hash, unless a program that still has the file open has written into it. To be called after it was copied. */
async function sha256Of({ size, mtime, sha256 }: VersionRow, path: string): Promise<Buffer | undefined> {
  const stored = sha256 === null ? null : await storedContent(path);
  return stored?.size === size && stored.mtime === mtime ? (sha256 ?? undefined) : undefined;
}

/** Deletes an earlier content permanently. @throws ApiError `not_found`, `invalid_parameter` for the present one */
export async function deleteVersion(
  context: FilesContext,
  caller: AccountCaller,
  named: ItemName,
  version: number,
): Promise<void> {
  const target = await context.access.resolveItem(caller, named, 'files/versions/delete');
  await withFile(context, target, async ({ item }) => {
    if (version === item.version) throw invalidParameter('version', t('api.versions.restoreCurrent'));
    const { id } = await versionRow(context, target, item, version);
    const forgotten = await context.database.write((tx) => forgetVersions(context, tx, target.home.id, [id]));
    const path = virtualPathOf(target);
    emitItemEvent(context, 'version.removed', caller, target, { itemId: item.id, path, version });
    if (forgotten !== null) await eraseVersions(context, target.home, forgotten);
  });
}

/** @throws ApiError `not_found`, also for one that is not the caller's to see */
async function versionRow(
  { database }: FilesContext,
  target: ItemTarget,
  item: Item,
  version: number,
): Promise<VersionRow> {
  const row = await versionOf(database, item.id, version, sinceOf(target));
  if (row === undefined) throw new ApiError('not_found', t('api.versions.notFound'));
  return row;
}
