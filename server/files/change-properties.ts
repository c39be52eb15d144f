import { checkStillShared, type ItemTarget } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import { onStorage } from '../access/storage-failure.ts';
import { itemFound } from '../catalogue/find.ts';
import { FILES_ROOT, rootId } from '../catalogue/items.ts';
import { ApiError } from '../http/errors.ts';
import { type FilesContext, lockKey } from './context.ts';
import { changeDeadProperties, type DeadProperty, type DeadPropertyChange, deadProperties } from './dead-properties.ts';
import { checkItemUnlocked } from './locks/locks.ts';
import { setFileTime, setFolderTime } from './set-file-time.ts';

/**
 * Sets and removes properties of a file or folder, and sets its modification time: all of it or nothing.
 * @param target resolved with the right `files/properties`
 * @param change `properties` in order; `time` in milliseconds since the epoch, null to leave it; `check` is called with the path
 * locked, and throws to refuse
 * @returns `isTooMuch`: the properties exceed `PROPERTY_LIMITS`, and nothing was changed
 * @throws ApiError `not_found`, `locked`, `storage_offline`, and what `check` throws
 */
export async function changeProperties(
  context: FilesContext,
  caller: AccountCaller,
  target: ItemTarget,
  {
    properties,
    time,
    check,
  }: {
    readonly properties: readonly DeadPropertyChange[];
    readonly time: number | null;
    readonly check: () => Promise<void>;
  },
): Promise<{ readonly isFolder: boolean; readonly isTooMuch: boolean }> {
  const { catalogue, pathLocks, database, disk } = context;
  const { home, segments } = target;
  return onStorage(async () => {
    await catalogue.ensureItemRow(home, segments);
    return pathLocks.run([lockKey(home, segments)], () =>
      catalogue.changing(home, async () => {
        await checkStillShared(target);
        await check();
        await checkItemUnlocked(context, caller, target);
        const found = await disk.run('stat', { homeRoot: home.homeRoot, segments });
        const { isDir: isFolder } = found.entry;
        if (properties.length === 0 && time === null) return { isFolder, isTooMuch: false };
        const isRoot = segments.length === 0;
        const itemId = isRoot
          ? await rootId(database, home.id, FILES_ROOT)
          : (await itemFound(database, home.id, found)).id;
        const before = time === null ? [] : await deadProperties(database, itemId);
        try {
          await database.write((tx) => changeDeadProperties(tx, itemId, properties));
        } catch (error) {
          if (error instanceof ApiError && error.code === 'quota_exceeded') return { isFolder, isTooMuch: true };
          throw error;
        }
        try {
          if (time !== null && !isFolder) await setFileTime(context, target, time);
          // That of a whole home is the time of its last change.
          if (time !== null && isFolder && !isRoot) await setFolderTime(context, target, itemId, time);
        } catch (error) {
          // The system keeps everyone but the owner of a file from setting its time.
          await database.write((tx) => changeDeadProperties(tx, itemId, asBefore(properties, before)));
          throw error;
        }
        return { isFolder, isTooMuch: false };
      }),
    );
  });
}

/** What takes changes back. */
function asBefore(changes: readonly DeadPropertyChange[], before: readonly DeadProperty[]): DeadPropertyChange[] {
  return changes.map(({ namespace, name }) => {
    const former = before.find((one) => one.namespace === namespace && one.name === name);
    return { namespace, name, value: former?.value ?? null };
  });
}
