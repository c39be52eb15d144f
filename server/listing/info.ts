import { z } from 'zod';
import { checkStillShared, type ItemTarget, shownName, virtualPathOf } from '../access/access.ts';
import { type AccountCaller, rightsOf } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { onStorage } from '../access/storage-failure.ts';
import { FILES_ROOT, type Item, rootId } from '../catalogue/items.ts';
import type { ItemsContext } from '../files/context.ts';
import { withItem } from '../files/with-file.ts';
import type { DiskEntry } from '../storage/disk/disk.ts';
import { describe, type ItemFacts, listedItemSchema } from './details.ts';
import { type FactsContext, factsIn, listingSchema, metaOf, type RequestedDetails, withRowFacts } from './listing.ts';

type InfoContext = FactsContext & ItemsContext;

export const itemInfoSchema = z.object({
  ...listedItemSchema.shape,
  ...listingSchema.shape.meta.pick({ parentPath: true, perms: true }).shape,
});

type ItemInfo = z.infer<typeof itemInfoSchema>;

/**
 * A file or folder with details, as in the listing of its folder.
 * @throws ApiError `not_found`, `permission_denied`, `invalid_path` for a list; `invalid_parameter` if path and uuid name different
 * items
 */
export async function itemInfo(
  context: InfoContext,
  caller: AccountCaller,
  named: ItemName,
  requested: RequestedDetails,
): Promise<ItemInfo> {
  const target = await context.access.resolveItem(caller, named, 'files/browse');
  const { entry, item } = await read(context, target);
  const known = await factsIn(context, caller, target, requested);
  const facts = await withRowFacts(context, known, item === undefined ? [] : [item]);
  await checkStillShared(target);
  const { parentPath, perms } = metaOf(target, rightsOf(caller));
  const described = { entry, item, path: virtualPathOf(target), name: shownName(target, entry.name), facts };
  const info = describe(described, requested.details, context.clock.now());
  const etag =
    target.segments.length === 0 && facts.folderTagsFor !== null ? await rootTag(context, target, facts) : null;
  return { ...info, ...(etag === null ? {} : { etag }), parentPath, perms };
}

/** The tag of a home. Its row is no item that has details of its own. */
async function rootTag(context: InfoContext, { home }: ItemTarget, facts: ItemFacts): Promise<string | null> {
  const id = await rootId(context.database, home.id, FILES_ROOT);
  return (await withRowFacts(context, facts, [{ id, isDir: true }])).folderTags.get(id) ?? null;
}

/** The root of a home needs no lock: no operation changes it. */
async function read(context: InfoContext, target: ItemTarget): Promise<{ entry: DiskEntry; item: Item | undefined }> {
  const { home, segments } = target;
  if (segments.length > 0) return withItem(context, target, async (there) => there);
  const { entry } = await onStorage(() => context.disk.run('stat', { homeRoot: home.homeRoot, segments }));
  return { entry, item: undefined };
}
