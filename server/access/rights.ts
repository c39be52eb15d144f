import type { AccountRecord } from '../accounts/accounts.ts';
import type { Permissions } from '../accounts/permissions.ts';
import { requirePermission } from '../accounts/require-permission.ts';
import { ApiError } from '../http/errors.ts';

/** What can stand in the way: `readonly` when it is on, every other one when it is off. */
export type Hindrance = 'readonly' | 'upload' | 'download' | 'download_folders' | 'file_history';

const READ: readonly Hindrance[] = [];
const ALTER: readonly Hindrance[] = ['readonly'];
const BRING: readonly Hindrance[] = ['readonly', 'upload'];

/**
 * Which permissions an operation on files needs, under the API document's names. To bring content or folders takes
 * `upload`; to change what is there, or to put back what was there, takes no more than not being `readonly`. `download`
 * is about what leaves the house: a copy within it does not.
 */
export const NEEDS = {
  'files/browse': READ,
  'files/search': READ,
  /** Somebody's own mark: nothing of the item changes. */
  'files/star': READ,
  'files/unstar': READ,
  'files/createfolder': BRING,
  'files/upload': BRING,
  'files/rename': ALTER,
  'files/move': ALTER,
  'files/copy': BRING,
  'files/extract': BRING,
  /** An archive is made to leave the house. */
  'files/zip': [...BRING, 'download'],
  'files/zip folder': [...BRING, 'download', 'download_folders'],
  'files/download': ['download'],
  /** The same for a folder, as an archive. */
  'files/download folder': ['download', 'download_folders'],
  /** And for an old content. */
  'files/download version': ['download', 'file_history'],
  'files/delete': ALTER,
  'files/lock': ALTER,
  'files/unlock': ALTER,
  'files/trash/restore': ALTER,
  'files/trash/delete': ALTER,
  'files/trash/empty': ALTER,
  'files/versions/list': ['file_history'],
  'files/versions/restore': ['readonly', 'file_history'],
  'files/versions/delete': ['readonly', 'file_history'],
} as const satisfies Record<string, readonly Hindrance[]>;

export type FileAction = keyof typeof NEEDS;

/** The first permission that stands in the way of an operation, or null. */
export function hindranceTo(action: FileAction, permissions: Permissions): Hindrance | null {
  const needs: readonly Hindrance[] = NEEDS[action];
  return needs.find((name) => permissions[name] === (name === 'readonly')) ?? null;
}

/**
 * Asked before anything is looked up: the answer is the same whatever is there.
 * @throws ApiError `permission_denied`, with the permission in `details.permission`
 */
export function permit(account: Pick<AccountRecord, 'permissions'>, action: FileAction): void {
  const hindrance = hindranceTo(action, account.permissions);
  if (hindrance !== 'readonly') {
    if (hindrance !== null) requirePermission(account, hindrance);
    return;
  }
  throw new ApiError('permission_denied', 'This account may change nothing: it has the permission "readonly".', {
    details: { permission: hindrance },
  });
}

/** §2.5: what a listing says that can be done in the folder. */
export function folderPermissions({ permissions }: Pick<AccountRecord, 'permissions'>) {
  const may = (action: FileAction) => hindranceTo(action, permissions) === null;
  return { upload: may('files/upload'), download: may('files/download'), alter: may('files/rename') };
}
