import { checkStillShared, type ItemTarget, virtualPathOf } from '../access/access.ts';
import { type Caller, responsibleId } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { Item } from '../catalogue/items.ts';
import { ApiError } from '../http/errors.ts';
import { MAX_NAME_BYTES, type NameProblem, newNameProblem } from '../lib/names/names.ts';
import { t } from '../messages/messages.ts';
import { type FilesContext, lockKey } from './context.ts';
import { emitItemEvent } from './emit.ts';
import { checkNewEntryUnlocked } from './locks/locks.ts';

interface CreatedFolder {
  path: string;
  folderName: string;
  uuid: string;
}

/** Throws to prevent a new folder, once it is known that it could be created. */
type NewFolderCheck = (target: ItemTarget) => Promise<void>;

/**
 * @param check called with the path locked
 * @throws ApiError `invalid_name`, `not_found` (no such parent), `already_exists`
 */
export async function createFolder(
  context: FilesContext,
  caller: Caller,
  parentName: ItemName,
  name: string,
  check?: NewFolderCheck,
): Promise<CreatedFolder> {
  const parent = await context.access.resolveItem(caller, parentName, 'files/createfolder');
  checkNewName(name);
  const item = await makeFolder(context, caller, parent, name, check);
  return { path: virtualPathOf(parent, [...parent.segments, item.name]), folderName: item.name, uuid: item.uuid };
}

/** Creates the missing folders of `segments`, those within the caller's reach. */
export async function createMissingFolders(context: FilesContext, caller: Caller, target: ItemTarget): Promise<void> {
  for (let depth = target.top + 1; depth <= target.segments.length; depth += 1) {
    const segments = target.segments.slice(0, depth);
    const name = segments.at(-1) ?? '';
    const exists = await isFolder(context, { ...target, segments });
    if (exists) continue;
    checkNewName(name);
    await makeFolder(context, caller, { ...target, segments: segments.slice(0, -1) }, name).catch((error) => {
      // Another request created it at the same time: the result is the one requested.
      if (!(error instanceof ApiError) || error.code !== 'already_exists') throw error;
    });
  }
}

/** Whether a folder with exactly this name exists. */
export async function isFolder({ disk }: FilesContext, { home, segments }: ItemTarget): Promise<boolean> {
  return onStorage(async () => (await disk.run('stat', { homeRoot: home.homeRoot, segments })).entry.isDir).catch(
    (error) => {
      if (error instanceof ApiError && error.code === 'not_found') return false;
      throw error;
    },
  );
}

function makeFolder(
  context: FilesContext,
  caller: Caller,
  parent: ItemTarget,
  name: string,
  check?: NewFolderCheck,
): Promise<Item> {
  const { disk, pathLocks, catalogue } = context;
  const { home } = parent;
  const segments = [...parent.segments, name];
  return onStorage(async () => {
    await catalogue.ensureFolderRows(home, parent.segments);
    return pathLocks.run([lockKey(home, segments)], () =>
      catalogue.changing(home, async () => {
        await checkStillShared(parent);
        const target = { ...parent, segments };
        await checkNewEntryUnlocked(context, caller, target);
        if (check !== undefined) {
          const { hasFolder, entry } = await disk.run('inspect', { homeRoot: home.homeRoot, segments });
          // Conditions do not count for a request that fails without them, too (RFC 9110 §13.2.1).
          if (hasFolder && entry === null) await check(target);
        }
        const made = await disk.run('createFolder', { homeRoot: home.homeRoot, parent: parent.segments, name });
        const item = await context.catalogue.recordNew(responsibleId(caller), home, made);
        const path = virtualPathOf(parent, segments);
        emitItemEvent(context, 'folder.created', caller, parent, { itemId: item.id, path, copiedFrom: null });
        return item;
      }),
    );
  });
}

/** Why a new file or folder cannot have a name. */
export function invalidNameText(problem: NameProblem): string {
  return t('api.files.invalidName', { problem, max: MAX_NAME_BYTES });
}

export function checkNewName(name: string): void {
  const problem = newNameProblem(name);
  if (problem !== null) throw new ApiError('invalid_name', invalidNameText(problem));
}
