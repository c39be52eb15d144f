import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { AccountRecord } from '../account-record.ts';
import type { Permissions } from './permissions.ts';

type Switch = { [Name in keyof Permissions]: Permissions[Name] extends boolean ? Name : never }[keyof Permissions];

/** @throws ApiError `permission_denied`, naming the permission */
export function requirePermission({ permissions }: Pick<AccountRecord, 'permissions'>, permission: Switch): void {
  if (!permissions[permission]) throw permissionMissing(permission);
}

/** The error that names a missing permission in `details.permission`. */
export function permissionMissing(permission: Switch): ApiError {
  return new ApiError('permission_denied', t('api.permissions.missing', { permission }), { details: { permission } });
}
