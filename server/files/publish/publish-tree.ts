import { checkStillShared, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import { type Caller, responsibleId } from '../../access/caller.ts';
import type { Item } from '../../catalogue/items.ts';
import { WAIT_TO_PUBLISH } from '../../lib/concurrency/path-locks.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { checkNewEntryUnlocked } from '../locks/locks.ts';
import { recordTree } from './record-tree.ts';

/** A newly published tree: its row, and its virtual path in the spelling of the disk. */
export interface PublishedTree {
  readonly item: Item;
  readonly path: string;
}

interface TreePublication {
  /** Throws to prevent the publication; nothing else changes the path from then on. */
  readonly check?: (() => Promise<void>) | undefined;
  /** Emits its event, before any of our own operations can change it. */
  readonly onPublished: (published: PublishedTree) => void;
}

/**
 * Publishes a flushed tree of the work area under a free name in one step, with the rows of everything in it, so that it counts
 * for quotas at once.
 * @throws StorageError `taken`, `not-found` (no such folder)
 */
export async function publishTree(
  context: FilesContext,
  caller: Caller,
  target: ItemTarget,
  source: string,
  { check, onPublished }: TreePublication,
): Promise<PublishedTree> {
  const { disk, pathLocks, catalogue } = context;
  const { home, segments } = target;
  const parent = segments.slice(0, -1);
  await catalogue.ensureFolderRows(home, parent);
  return pathLocks.run(
    [lockKey(home, segments)],
    () =>
      catalogue.changing(home, async () => {
        await checkStillShared(target);
        await check?.();
        await checkNewEntryUnlocked(context, caller, target);
        const made = await disk.run('moveIn', {
          homeRoot: home.homeRoot,
          parent,
          name: segments.at(-1) ?? '',
          source,
        });
        const item = await context.catalogue.recordNew(responsibleId(caller), home, made);
        if (made.entry.isDir) await recordTree(context, home, segments);
        const published = { item, path: virtualPathOf(target, [...parent, made.entry.name]) };
        onPublished(published);
        return published;
      }),
    WAIT_TO_PUBLISH,
  );
}
