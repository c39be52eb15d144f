import type { AccountRecord } from '../accounts/accounts.ts';
import type { Permissions } from '../accounts/permissions/permissions.ts';
import { permissionMissing } from '../accounts/permissions/require-permission.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import type { CredentialGrant } from '../oauth/credential-grant.ts';
import { insufficientScope } from '../oauth/insufficient-scope.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { ShareFlag, ShareFlags } from '../shares/share-record.ts';
import { ACTION_SCOPES, READING } from './action-scopes.ts';

/** Permissions that can forbid an operation: `readonly` when it is on, every other one when it is off. */
type MissingPermission =
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
  /** §2.7: the flags of the share that the operation needs; null: not possible through a share. */
  readonly share: readonly ShareFlag[] | null;
}

const READ: readonly MissingPermission[] = [];
const ALTER: readonly MissingPermission[] = ['readonly'];
const DESCRIBE: readonly MissingPermission[] = ['readonly', 'metadata'];
const BRING: readonly MissingPermission[] = ['readonly', 'upload'];

/**
 * Permissions that each operation on files needs. Adding content or folders needs `upload`. Changing or restoring existing items is
 * allowed unless the account is `readonly`, and needs `alter` in a share. `download` covers content that leaves the household: a
 * copy inside it does not, but a copy out of a share leaves the control of that share. Only the owner of a home may delete
 * permanently.
 */
export const NEEDS = {
  'files/browse': { account: READ, share: [] },
  'files/search': { account: READ, share: [] },
  /** Search results quote the contents of files. */
  'files/search:contents': { account: READ, share: ['download'] },
  'files/search:metadata': { account: ['metadata'], share: [] },
  /** The same for comments, which need `read_comments`. */
  'files/search:comments': { account: ['metadata', 'read_comments'], share: ['read_comments'] },
  /** Says which contents exist, so only to those who may read them. */
  'files/known': { account: ['download'], share: ['download'] },
  'files/receipt': { account: ['download'], share: ['download'] },
  /** A star belongs to the caller: the item does not change. */
  'files/star': { account: READ, share: [] },
  'files/unstar': { account: READ, share: [] },
  /** So does an album, which is only a list. */
  'albums/list': { account: READ, share: [] },
  'albums/add': { account: READ, share: [] },
  'albums/folder': { account: READ, share: [] },
  'albums/edit': { account: READ, share: [] },
  'albums/delete': { account: READ, share: [] },
  'albums/items': { account: READ, share: [] },
  'albums/items/add': { account: READ, share: [] },
  'albums/items/remove': { account: READ, share: [] },
  'albums/shares': { account: READ, share: [] },
  'albums/share': { account: ['share'], share: [] },
  /** It takes access away, or leaves the album of another person. */
  'albums/unshare': { account: READ, share: [] },
  'albums/link': { account: ['weblink'], share: [] },
  'albums/links': { account: ['weblink'], share: [] },
  'albums/unlink': { account: ['weblink'], share: [] },
  /** Imports work in the own home: the archives and the target are there. */
  'imports/add': { account: BRING, share: null },
  'imports/list': { account: READ, share: [] },
  'imports/item': { account: READ, share: [] },
  'imports/cancel': { account: READ, share: [] },
  'imports/resume': { account: BRING, share: null },
  'files/createfolder': { account: BRING, share: ['upload'] },
  'files/upload': { account: BRING, share: ['upload'] },
  /** The same where the file exists already. */
  'files/upload:replace': { account: BRING, share: ['upload', 'alter'] },
  'files/rename': { account: ALTER, share: ['alter'] },
  'files/move': { account: ALTER, share: ['alter', 'download'] },
  /** The target folder of a move: within one home or share, and from elsewhere. */
  'files/move:within': { account: ALTER, share: ['alter'] },
  'files/move:into': { account: BRING, share: ['upload'] },
  /** The same where it may replace a file. */
  'files/move:replace': { account: BRING, share: ['upload', 'alter'] },
  'files/copy': { account: BRING, share: ['download'] },
  'files/copy:into': { account: BRING, share: ['upload'] },
  'files/extract': { account: BRING, share: ['download'] },
  'files/extract:into': { account: BRING, share: ['upload'] },
  /** Archives are meant to be taken elsewhere. */
  'files/zip': { account: [...BRING, 'download'], share: ['download'] },
  'files/zip:folder': { account: [...BRING, 'download', 'download_folders'], share: ['download'] },
  'files/zip:into': { account: [...BRING, 'download'], share: ['upload'] },
  'files/download': { account: ['download'], share: ['download'] },
  /** The same for a folder, as an archive. */
  'files/download:folder': { account: ['download', 'download_folders'], share: ['download'] },
  'files/thumbnail': { account: ['download'], share: ['download'] },
  /** The same for an older version. */
  'files/download:version': { account: ['download', 'file_history'], share: ['download'] },
  'files/delete': { account: ALTER, share: ['alter'] },
  'files/delete:permanent': { account: ALTER, share: null },
  'files/lock': { account: ALTER, share: ['alter'] },
  'files/unlock': { account: ALTER, share: ['alter'] },
  /** Properties of programs, and the modification time. */
  'files/properties': { account: ALTER, share: ['alter'] },
  'files/share': { account: ['share'], share: ['share'] },
  'files/unshare': { account: ['share'], share: [] },
  /** Anyone with the address gets access: in a share that is sharing it further. */
  'files/weblink': { account: ['weblink'], share: ['share', 'download'] },
  'files/weblink/edit': { account: ['weblink'], share: ['share', 'download'] },
  'files/unweblink': { account: ['weblink'], share: [] },
  /** A comment does not change the item, so `readonly` allows it. */
  'files/comments/list': { account: ['read_comments'], share: ['read_comments'] },
  'files/comments/add': { account: ['write_comments'], share: ['comment'] },
  'files/comments/delete': { account: ['write_comments'], share: ['comment'] },
  /** The owner of a file may delete comments of others, whatever their own comment permissions. */
  'files/comments/delete:any': { account: READ, share: null },
  /** Tags, labels and ratings are seen by everyone who has the item, so changing them needs the right to change it. */
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

/** Every action has its scopes. */
const SCOPES: Readonly<Record<FileAction, readonly Scope[]>> = ACTION_SCOPES;

/** The permissions of an account, and what the credential of the caller leaves of them; null if that is everything. */
export interface Rights extends Pick<AccountRecord, 'permissions'> {
  readonly credential: CredentialGrant | null;
}

/** What an account itself may do. For the one who makes a request, `rightsOf` also respects the credential. */
export function accountRights({ permissions }: Pick<AccountRecord, 'permissions'>): Rights {
  return { permissions, credential: null };
}

/** The first missing permission of the account for an operation, or null. */
export function missingPermissionFor(action: FileAction, permissions: Permissions): MissingPermission | null {
  const needs: readonly MissingPermission[] = NEEDS[action].account;
  return needs.find((name) => permissions[name] === (name === 'readonly')) ?? null;
}

/**
 * Checked before any lookup, so the answer does not depend on what exists.
 * @throws ApiError `insufficient_scope`; `permission_denied`, with the permission in `details.permission`
 */
export function permit({ permissions, credential }: Rights, action: FileAction): void {
  if (credential !== null) {
    const scopes = SCOPES[action].filter((scope) => !credential.scopes.has(scope));
    if (scopes.length > 0) throw insufficientScope(scopes, SCOPES[action]);
    if (isOnlyRead(credential, action)) {
      const details = { permission: 'readonly' };
      throw new ApiError('permission_denied', t('api.access.readOnlyCredential'), { details });
    }
  }
  const missing = missingPermissionFor(action, permissions);
  if (missing === null) return;
  if (missing !== 'readonly') throw permissionMissing(missing);
  throw new ApiError('permission_denied', t('api.access.readOnly'), { details: { permission: missing } });
}

function isOnlyRead(credential: CredentialGrant | null, action: FileAction): boolean {
  return credential?.isReadOnly === true && !READING.has(action);
}

/** What a share and everyone in its chain allow. */
export interface ShareRights {
  readonly flags: ShareFlags;
  /** Everyone in the chain: nothing is allowed through them that they may not do. */
  readonly grantors: readonly Pick<AccountRecord, 'permissions'>[];
  /** All that can be done, if that is less than the flags allow. */
  readonly only?: ReadonlySet<FileAction>;
}

/** The first missing right of a share, by its name in the API document; null when none is missing. */
export function missingSharePermission(action: FileAction, { flags, grantors, only }: ShareRights): string | null {
  const needs: readonly ShareFlag[] | null = NEEDS[action].share;
  if (needs === null || only?.has(action) === false) return 'owner';
  const flag = needs.find((name) => !flags[name]);
  if (flag !== undefined) return flag;
  for (const { permissions } of grantors) {
    const missingPermission = missingPermissionFor(action, permissions);
    if (missingPermission !== null) return missingPermission;
  }
  return null;
}

/**
 * The same for items shared with the caller. It does not reveal whose permission is missing.
 * @param share null in one's own home
 * @throws ApiError `permission_denied`, with what is missing in `details.permission`
 */
export function permitInShare(share: ShareRights | null, action: FileAction): void {
  const permission = share === null ? null : missingSharePermission(action, share);
  if (permission === null) return;
  const why = permission === 'owner' ? t('api.access.ownerOnly') : t('api.access.shareLacks', { permission });
  throw new ApiError('permission_denied', why, { details: { permission } });
}

/**
 * Whether account and share allow the operation, for what is shown of an item. Scopes do not count: `permit` refuses a request that
 * lacks one. @param share null in the caller's own home
 */
export function isPermitted(
  { permissions, credential }: Rights,
  share: ShareRights | null,
  action: FileAction,
): boolean {
  return (
    !isOnlyRead(credential, action) &&
    missingPermissionFor(action, permissions) === null &&
    (share === null || missingSharePermission(action, share) === null)
  );
}

/** The same where the credential needs the scopes, too: for what is shown of contents to those who may not list only. */
export function isGranted(rights: Rights, share: ShareRights | null, action: FileAction): boolean {
  const { credential } = rights;
  return isPermitted(rights, share, action) && SCOPES[action].every((scope) => credential?.scopes.has(scope) !== false);
}

/** §2.5: the permissions that a listing reports for the folder. @param share null in the caller's own home */
export function folderPermissions(rights: Rights, share: ShareRights | null = null) {
  const may = (action: FileAction) => isPermitted(rights, share, action);
  return { upload: may('files/upload'), download: may('files/download'), alter: may('files/rename') };
}
