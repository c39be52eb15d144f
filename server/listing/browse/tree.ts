import { checkStillShared, type ItemTarget } from '../../access/access.ts';
import { type Caller, rightsOf } from '../../access/caller.ts';
import { onStorage } from '../../access/storage-failure.ts';
import type { FolderContent } from '../../catalogue/catalogue.ts';
import { ApiError } from '../../http/errors.ts';
import { MAX_SEGMENTS } from '../../http/request/parameters.ts';
import { StreamedList } from '../../http/response/streamed-list.ts';
import { SECOND } from '../../lib/clock.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { arrange } from '../arrange.ts';
import { describe, type ListedItem } from '../details.ts';
import { type BrowseContext, type BrowseOptions, factsIn, folderMeta, partsWithFacts } from '../listing.ts';

/** Milliseconds between two checks whether the item is still shared. */
const CHECK_INTERVAL = SECOND;

/**
 * Everything below a folder, depth first: each folder before its contents. Memory holds one listing per folder on the current
 * path, whatever the size of the tree and the speed of the client.
 */
export async function browseTree(
  context: BrowseContext,
  caller: Caller,
  target: ItemTarget,
  options: BrowseOptions,
): Promise<StreamedList> {
  const { home } = target;
  const content = await onStorage(() => context.catalogue.list(home, target.segments, { remember: false }));
  await checkStillShared(target);
  const known = await factsIn(context, caller, target, options);
  const meta = folderMeta(target, content, rightsOf(caller));
  const { start = 0, limit = Number.POSITIVE_INFINITY } = options;
  const isPaged = options.start !== undefined || options.limit !== undefined;
  const now = context.clock.now();
  let total = 0;
  let checkedAt = now;

  /** @param depth segments of the path: deeper items than a path can have are not listed, because they cannot be reached */
  async function* below(folder: FolderContent, path: string, depth: number): AsyncGenerator<ListedItem> {
    if (depth >= MAX_SEGMENTS) return;
    const indexes = arrange(folder, { ...options, itemType: 'any' });
    for await (const { part, facts } of partsWithFacts(context, known, folder, indexes)) {
      for (const index of part) {
        const entry = listingEntry(folder.listing, index);
        const virtual = `${path}/${entry.name}`;
        if (options.itemType === 'any' || entry.isDir === (options.itemType === 'folders')) {
          const position = total++;
          const item = folder.items.at(index);
          const isWanted = position >= start && position - start < limit;
          if (isWanted) yield describe({ entry, item, path: virtual, facts }, options.details, now);
        }
        if (!entry.isDir) continue;
        const inner = await listOrNull([...segmentsOf(folder), entry.name]);
        // A client may read slowly.
        if (context.clock.now() - checkedAt >= CHECK_INTERVAL) {
          checkedAt = context.clock.now();
          await checkStillShared(target);
        }
        if (inner !== null) yield* below(inner, virtual, depth + 1);
      }
    }
  }

  /** @returns null for a folder that has disappeared meanwhile */
  function listOrNull(segments: readonly string[]): Promise<FolderContent | null> {
    return onStorage(() => context.catalogue.list(home, segments, { remember: false })).catch((error) => {
      if (error instanceof ApiError && error.code === 'not_found') return null;
      throw error;
    });
  }

  return new StreamedList('files', below(content, meta.path, meta.path.split('/').length - 1), () => ({
    meta: { ...meta, ...(isPaged ? { total } : {}) },
  }));
}

function segmentsOf({ listing }: FolderContent): string[] {
  return listing.folders.slice(1).map((folder) => folder.name);
}
