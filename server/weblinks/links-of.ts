import { type AccountCaller, rightsOf } from '../access/caller.ts';
import { type FileAction, isPermitted } from '../access/rights.ts';
import { displayName } from '../accounts/account-record.ts';
import { withItem } from '../files/with-file.ts';
import type { WeblinksContext } from './context.ts';
import type { LinkRecord } from './link-record.ts';
import { refuseHome } from './make-link.ts';

/** The links of a file or folder. */
export interface LinksThere {
  readonly isDir: boolean;
  /** The caller's own: the permanent one first, then newest first. */
  readonly own: readonly LinkRecord[];
  /** Links that others made for the caller's own files. */
  readonly others: readonly { readonly link: LinkRecord; readonly by: string }[];
  readonly may: {
    /** Without this right, the caller can still end their own links. */
    readonly make: boolean;
    /** Whether a link of the caller's can allow downloads. */
    readonly giveDownloads: boolean;
    readonly takeUploads: boolean;
  };
}

/**
 * Requires the permission to make links. @throws ApiError `not_found`, `permission_denied`, `invalid_path` for a home or a list
 */
export async function linksOf(
  context: WeblinksContext,
  caller: AccountCaller,
  path: readonly string[],
): Promise<LinksThere> {
  const { account } = caller;
  const target = await context.access.resolveItem(caller, path, 'files/unweblink');
  refuseHome(target);
  const { isDir, records } = await withItem(context, target, async ({ item, entry }) => ({
    isDir: entry.isDir,
    records: await context.links.of(item.id),
  }));
  const own = records.filter(({ creatorId }) => creatorId === account.id);
  const others: LinksThere['others'][number][] = [];
  for (const link of target.share === null ? records : []) {
    const by = link.creatorId === account.id ? null : await context.accounts.byId(link.creatorId);
    if (by !== null) others.push({ link, by: displayName(by) });
  }
  const may = (action: FileAction) => isPermitted(rightsOf(caller), target.share, action);
  const giveDownloads = may('files/download');
  const takeUploads = isDir && may('files/upload');
  const make = may('files/weblink') && (giveDownloads || takeUploads);
  return { isDir, own, others, may: { make, giveDownloads, takeUploads } };
}
