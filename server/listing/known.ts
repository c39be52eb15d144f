import { z } from 'zod';
import { checkStillShared } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { Home } from '../catalogue/homes.ts';
import { proveFilesOfSize } from '../files/unproven-copies.ts';
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

/** Bytes of files that are read for one request, of those whose content the catalogue does not know yet. */
const MAX_READ = 2 * 1024 ** 3;

/**
 * Those files whose content is nowhere below a folder, as far as the catalogue knows. Files of the same size whose content it does not
 * know yet are read first, up to 2 GiB: another program may just have copied them there.
 * @throws ApiError `not_found`, also for a file; `invalid_path` for a list; `storage_offline`; `permission_denied`
 */
export async function missingOf(
  context: SearchContext,
  caller: AccountCaller,
  named: ItemName,
  files: readonly KnownFile[],
): Promise<KnownFile[]> {
  const { target, folder } = await searchedFolder(context, caller, named, ['files/known']);
  const find = async (some: readonly KnownFile[]) => {
    const [found] = await Promise.all([contentsBelow({ all: context.database.allAside }, folder, some), folder.itemId]);
    return some.filter((file) => !found.has(file));
  };
  let missing = await find(files);
  if (missing.length > 0 && (await readUnproven(context, target.home, await folder.itemId, missing)))
    missing = await find(missing);
  await checkStillShared(target);
  return missing;
}

/** Only below the folder: how long it takes must not tell what is elsewhere. @returns whether any file was read */
async function readUnproven(
  { database, disk }: SearchContext,
  home: Home,
  folderId: number,
  missing: readonly KnownFile[],
): Promise<boolean> {
  let bytesLeft = MAX_READ;
  let isAnyRead = false;
  for (const size of new Set(missing.map((file) => file.size))) {
    const most = size === 0 ? 0 : Math.floor(bytesLeft / size);
    if (most === 0) continue;
    const isBelow = (_name: string, folders: readonly number[]) => folders.includes(folderId);
    const { read } = await onStorage(() => proveFilesOfSize({ database, disk }, home, size, isBelow, most));
    bytesLeft -= read * size;
    isAnyRead ||= read > 0;
  }
  return isAnyRead;
}
