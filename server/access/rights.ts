import type { AccountRecord } from '../accounts/accounts.ts';
import type { Permissions } from '../accounts/permissions/permissions.ts';
import { requirePermission } from '../accounts/permissions/require-permission.ts';
import { ApiError } from '../http/errors.ts';
import type { ShareFlag, ShareFlags } from '../shares/share-record.ts';

/** What can stand in the way: `readonly` when it is on, every other one when it is off. */
export type MissingPermission =
  | 'readonly'
  | 'upload'
  | 'download'
  | 'download_folders'
  | 'file_history'
  | 'share'
  | 'weblink'
  | 'read_comments'
  | 'write_comments'
  | 'metadata';

interface Needs {
  /** Permissions of the account, under the API document's names. */
  readonly account: readonly MissingPermission[];
  /** §2.7: flags of the share, where the item is somebody else's; null: nothing that is done through a share. */
  readonly share: readonly ShareFlag[] | null;
}

const READ: readonly MissingPermission[] = [];
const ALTER: readonly MissingPermission[] = ['readonly'];
const DESCRIBE: readonly MissingPermission[] = ['readonly', 'metadata'];
const BRING: readonly MissingPermission[] = ['readonly', 'upload'];

/**
 * What an operation on files needs. To bring content or folders takes `upload`; to change what is there, or to put back
 * what was there, takes no more than not being `readonly`, and in a share `alter`. `download` is about what leaves the
 * house: a copy within it does not, but one that leaves a share leaves what the share says of it. What removes something for
 * good is for those whose home it is.
 */
export const NEEDS = {
  'files/browse': { account: READ, share: [] },
  'files/search': { account: READ, share: [] },
  /** What is in files is told word by word. */
  'files/search contents': { account: READ, share: ['download'] },
  'files/search meta': { account: ['metadata'], share: [] },
  /** The same by what people say, which only they may read. */
  'files/search comments': { account: ['metadata', 'read_comments'], share: ['read_comments'] },
  /** Somebody's own mark: nothing of the item changes. */
  'files/star': { account: READ, share: [] },
  'files/unstar': { account: READ, share: [] },
  'files/createfolder': { account: BRING, share: ['upload'] },
  'files/upload': { account: BRING, share: ['upload'] },
  /** The same where a file is there already. */
  'files/upload over': { account: BRING, share: ['upload', 'alter'] },
  'files/rename': { account: ALTER, share: ['alter'] },
  'files/move': { account: ALTER, share: ['alter', 'download'] },
  /** The folder that something is moved to: within one home or share, and from elsewhere. */
  'files/move within': { account: ALTER, share: ['alter'] },
  'files/move into': { account: BRING, share: ['upload'] },
  /** The same where it may take the place of a file. */
  'files/move over': { account: BRING, share: ['upload', 'alter'] },
  'files/copy': { account: BRING, share: ['download'] },
  'files/copy into': { account: BRING, share: ['upload'] },
  'files/extract': { account: BRING, share: ['download'] },
  'files/extract into': { account: BRING, share: ['upload'] },
  /** An archive is made to leave the house. */
  'files/zip': { account: [...BRING, 'download'], share: ['download'] },
  'files/zip folder': { account: [...BRING, 'download', 'download_folders'], share: ['download'] },
  'files/zip into': { account: [...BRING, 'download'], share: ['upload'] },
  'files/download': { account: ['download'], share: ['download'] },
  /** The same for a folder, as an archive. */
  'files/download folder': { account: ['download', 'download_folders'], share: ['download'] },
  'files/thumbnail': { account: ['download'], share: ['download'] },
  /** And for an old content. */
  'files/download version': { account: ['download', 'file_history'], share: ['download'] },
  'files/delete': { account: ALTER, share: ['alter'] },
  'files/delete permanently': { account: ALTER, share: null },
  'files/lock': { account: ALTER, share: ['alter'] },
  'files/unlock': { account: ALTER, share: ['alter'] },
  'files/share': { account: ['share'], share: ['share'] },
  'files/unshare': { account: ['share'], share: [] },
  /** Whoever has the address takes part: that is handing on what is in a share. */
  'files/weblink': { account: ['weblink'], share: ['share', 'download'] },
  'files/weblink/edit': { account: ['weblink'], share: ['share', 'download'] },
  'files/unweblink': { account: ['weblink'], share: [] },
  /** What is said of an item changes nothing of it: whoever is `readonly` may say it, too. */
  'files/comments/list': { account: ['read_comments'], share: ['read_comments'] },
  'files/comments/add': { account: ['write_comments'], share: ['comment'] },
  'files/comments/delete': { account: ['write_comments'], share: ['comment'] },
  /** Whoever's files it is about takes away what others say there, whatever they may say themselves. */
  'files/comments/delete any': { account: READ, share: null },
  /** What stands on an item is there for everybody who has it: whoever may change nothing of it does not change that. */
  'files/metadata': { account: ['metadata'], share: [] },
  'files/metadata/fields': { account: ['metadata'], share: [] },
  'files/metadata/set': { account: DESCRIBE, share: ['alter'] },
  'files/label': { account: DESCRIBE, share: ['alter'] },
  'files/rating': { account: DESCRIBE, share: ['alter'] },
  'files/tags/add': { account: DESCRIBE, share: ['alter'] },
  'files/tags/remove': { account: DESCRIBE, share: ['alter'] },
  'files/trash/restore': { account: ALTER, share: null },
  'files/trash/delete': { account: ALTER, share: null },
  'files/trash/empty': { account: ALTER, share: null },
  'files/versions/list': { account: ['file_history'], share: ['download'] },
  'files/versions/restore': { account: ['readonly', 'file_history'], share: ['alter', 'download'] },
  'files/versions/delete': { account: ['readonly', 'file_history'], share: null },
} as const satisfies Record<string, Needs>;

export type FileAction = keyof typeof NEEDS;

/** The first permission of an account that stands in the way of an operation, or null. */
export function missingPermissionFor(action: FileAction, permissions: Permissions): MissingPermission | null {
  const needs: readonly MissingPermission[] = NEEDS[action].account;
  return needs.find((name) => permissions[name] === (name === 'readonly')) ?? null;
}

/**
 * Asked before anything is looked up: the answer is the same whatever is there.
 * @throws ApiError `permission_denied`, with the permission in `details.permission`
 */
export function permit(account: Pick<AccountRecord, 'permissions'>, action: FileAction): void {
  const missingPermission = missingPermissionFor(action, account.permissions);
  if (missingPermission !== 'readonly') {
    if (missingPermission !== null) requirePermission(account, missingPermission);
    return;
  }
  throw new ApiError('permission_denied', 'This account may change nothing: it has the permission "readonly".', {
    details: { permission: missingPermission },
  });
}

/** What a share and those who gave it let somebody do. */
export interface ShareRights {
  readonly flags: ShareFlags;
  /** Everybody through whom it comes: what they may not do, nobody does through them. */
  readonly grantors: readonly Pick<AccountRecord, 'permissions'>[];
}

/** The first thing that stands in the way in a share, under the name that it has in the API document; null for nothing. */
export function missingSharePermission(action: FileAction, { flags, grantors }: ShareRights): string | null {
  const needs: readonly ShareFlag[] | null = NEEDS[action].share;
  if (needs === null) return 'owner';
  const flag = needs.find((name) => !flags[name]);
  if (flag !== undefined) return flag;
  for (const { permissions } of grantors) {
    const missingPermission = missingPermissionFor(action, permissions);
    if (missingPermission !== null) return missingPermission;
  }
  return null;
}

/**
 * The same for what somebody else shares with the caller. Nothing is said of whose permission is missing.
 * @param share null in one's own home
 * @throws ApiError `permission_denied`, with what is missing in `details.permission`
 */
export function permitInShare(share: ShareRights | null, action: FileAction): void {
  const permission = share === null ? null : missingSharePermission(action, share);
  if (permission === null) return;
  const why =
    permission === 'owner' ? 'Only the one whose file it is may do this.' : `This is shared without "${permission}".`;
  throw new ApiError('permission_denied', why, { details: { permission } });
}

/** Whether nothing stands in the way. @param share null in one's own home */
export function isPermitted(
  { permissions }: Pick<AccountRecord, 'permissions'>,
  share: ShareRights | null,
  action: FileAction,
): boolean {
  return (
    missingPermissionFor(action, permissions) === null &&
    (share === null || missingSharePermission(action, share) === null)
  );
}

/** §2.5: what a listing says that can be done in the folder. @param share null in one's own home */
export function folderPermissions(account: Pick<AccountRecord, 'permissions'>, share: ShareRights | null = null) {
  const may = (action: FileAction) => isPermitted(account, share, action);
  return { upload: may('files/upload'), download: may('files/download'), alter: may('files/rename') };
}
