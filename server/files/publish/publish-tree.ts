import { checkStillShared, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import { type Caller, responsibleId } from '../../access/caller.ts';
import type { Item } from '../../catalogue/items.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { recordNew } from './record-new.ts';
import { recordTree } from './record-tree.ts';

/** What has just appeared: its row, and its virtual path in the spelling of the disk. */
export interface PublishedTree {
  readonly item: Item;
  readonly path: string;
}

/**
 * Gives what was made and flushed in the work area a name that is free, in one step, with the rows of everything in it: it
 * counts at once.
 * @param onPublished what is told of it, while nothing of ours can happen to it yet
 * @throws StorageError `taken`, `not-found` (no such folder)
 */
export async function publishTree(
  context: FilesContext,
  caller: Caller,
  target: ItemTarget,
  source: string,
  onPublished: (published: PublishedTree) => void,
): Promise<PublishedTree> {
  const { disk, locks, catalogue } = context;
  const { home, segments } = target;
  const parent = segments.slice(0, -1);
  await catalogue.knowFolder(home, parent);
  return locks.run([lockKey(home, segments)], () =>
    catalogue.changing(home, async () => {
      await checkStillShared(target);
      const made = await disk.run('putBack', { place: home.place, parent, name: segments.at(-1) ?? '', source });
      const item = await recordNew(context, responsibleId(caller), home, made);
      if (made.entry.isDir) await recordTree(context, home, segments);
      const published = { item, path: virtualPathOf(target, [...parent, made.entry.name]) };
      onPublished(published);
      return published;
    }),
  );
}
