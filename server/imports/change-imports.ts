import { type AccountCaller, rightsOf } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { type FileAction, permit } from '../access/rights.ts';
import { onStorage } from '../access/storage-failure.ts';
import { createMissingFolders } from '../files/create-folder.ts';
import { withFile } from '../files/with-file.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { StorageError } from '../storage/errors.ts';
import type { ImportContext } from './context.ts';
import type { PlanOptions } from './exports/plan.ts';
import type { Importer } from './importer.ts';
import type { ImportRecord } from './imports.ts';

export type ImportChangesContext = ImportContext & { readonly importer: Pick<Importer, 'wake' | 'interrupt'> };

/** Archives of an import. */
export const MAX_ARCHIVES = 1_000;
/** Imports of an account that wait or run. */
const MAX_OPEN = 10;

/**
 * Starts an import of archives in the own home. The target and missing folders above it are created at once, so that a name that
 * cannot be one is refused here.
 * @throws ApiError `not_found`, `permission_denied` for what is shared by others, `invalid_path`, `invalid_name`, `already_exists`,
 * `conflict`
 */
export async function addImport(
  context: ImportChangesContext,
  caller: AccountCaller,
  archives: readonly ItemName[],
  targetName: readonly string[],
  { folderAlbums }: PlanOptions,
): Promise<ImportRecord> {
  permit(rightsOf(caller), 'imports/add');
  checkUnlimited(caller);
  const { imports, access } = context;
  const chosen = new Map<number, string>();
  for (const named of archives) {
    const archive = await access.resolveItem(caller, named, 'imports/add');
    await withFile(context, archive, async ({ item, entry }) => chosen.set(item.id, entry.name));
  }
  const target = await prepareTarget(context, caller, targetName);
  const record = await imports.add({
    accountId: caller.account.id,
    target: target.segments,
    channel: caller.channel,
    folderAlbums,
    folder: null,
    archives: [...chosen].map(([itemId, name]) => ({ itemId, name })),
  });
  context.importer.wake();
  return record;
}

/**
 * Creates the target of an import, and missing folders above it.
 * @returns its names below the home
 * @throws as `addImport`
 */
export async function prepareTarget(
  context: ImportChangesContext,
  caller: AccountCaller,
  targetName: readonly string[],
): Promise<{ readonly segments: readonly string[] }> {
  const target = await context.access.resolveItem(caller, targetName, 'imports/add');
  const open = (await context.imports.of(caller.account.id)).filter(isOpen);
  if (open.length >= MAX_OPEN) throw new ApiError('conflict', t('api.imports.tooMany', { max: MAX_OPEN }));
  await createMissingFolders(context, caller, target);
  await onStorage(async () => {
    const { homeRoot } = target.home;
    const { entry } = await context.disk.run('stat', { homeRoot, segments: target.segments });
    if (!entry.isDir) throw new StorageError('taken', entry.name);
  });
  return target;
}

/** Whether an import has not ended. */
export function isOpen({ state }: Pick<ImportRecord, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}

/** @throws ApiError `not_found` alike for imports that do not exist and for those of others */
export async function ownImport(
  { imports }: Pick<ImportContext, 'imports'>,
  caller: AccountCaller,
  uuid: string,
  action: FileAction,
): Promise<ImportRecord> {
  permit(rightsOf(caller), action);
  checkUnlimited(caller);
  const record = await imports.byUuid(caller.account.id, uuid);
  if (record === null) throw notFound();
  return record;
}

/** The imports of an account, the newest first. @throws ApiError `not_found` for a credential that is limited to a folder */
export async function ownImports({ imports }: Pick<ImportContext, 'imports'>, caller: AccountCaller) {
  permit(rightsOf(caller), 'imports/list');
  checkUnlimited(caller);
  return imports.of(caller.account.id);
}

/** What was stored stays. @throws ApiError `not_found`; `conflict` for one that has ended */
export async function cancelImport(context: ImportChangesContext, caller: AccountCaller, uuid: string): Promise<void> {
  await cancelRecord(context, await ownImport(context, caller, uuid, 'imports/cancel'));
}

/** @throws ApiError `conflict` for one that has ended */
export async function cancelRecord(context: ImportChangesContext, { id }: Pick<ImportRecord, 'id'>): Promise<void> {
  if (!(await context.imports.setState(id, 'cancelled', ['waiting', 'running']))) {
    throw new ApiError('conflict', t('api.imports.ended'));
  }
  context.importer.interrupt(id);
}

/**
 * Goes on with what was not finished.
 * @throws ApiError `not_found`; `conflict` for one that is open or done, or reads a folder of the disk, as only the owner may
 */
export async function resumeImport(context: ImportChangesContext, caller: AccountCaller, uuid: string): Promise<void> {
  const record = await ownImport(context, caller, uuid, 'imports/resume');
  if (record.folder !== null) throw new ApiError('conflict', t('api.imports.ofOwner'));
  await resumeRecord(context, record);
}

/** @throws ApiError `conflict` for one that is open or done */
export async function resumeRecord(context: ImportChangesContext, { id }: Pick<ImportRecord, 'id'>): Promise<void> {
  if (!(await context.imports.setState(id, 'waiting', ['cancelled', 'failed']))) {
    throw new ApiError('conflict', t('api.imports.notStopped'));
  }
  context.importer.wake();
}

/** An import works in the whole home, as albums do. */
function checkUnlimited({ credential }: Pick<AccountCaller, 'credential'>): void {
  if ((credential?.rootUuid ?? null) !== null) throw notFound();
}

function notFound(): ApiError {
  return new ApiError('not_found', t('api.imports.notFound'));
}
