import { z } from 'zod';
import { checkStillShared } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { contentsBelow } from '../search/find-by-digest.ts';
import { type SearchContext, searchedFolder } from './search.ts';

/** How many files one request may ask for. */
export const MAX_KNOWN = 1_000;

/** A file that an app has. */
export const knownFileSchema = z.strictObject({
  /** Only for the app: it is returned as it came. */
  name: z.string().max(1_000),
  /** Bytes. */
  size: z.int().min(0),
  /** Hexadecimal. */
  sha256: z.string().regex(/^[0-9a-fA-F]{64}$/),
});

export type KnownFile = z.output<typeof knownFileSchema>;

/**
 * Those files whose content is nowhere below a folder, as far as the catalogue knows.
 * @throws ApiError `not_found`, also for a file; `invalid_path` for a list; `storage_offline`; `permission_denied`
 */
export async function missingOf(
  context: SearchContext,
  caller: AccountCaller,
  named: ItemName,
  files: readonly KnownFile[],
): Promise<KnownFile[]> {
  const { target, folder } = await searchedFolder(context, caller, named, ['files/known']);
  const [there] = await Promise.all([contentsBelow({ all: context.database.allAside }, folder, files), folder.itemId]);
  await checkStillShared(target);
  return files.filter((file) => !there.has(file));
}
