import type { AccountRecord } from '../accounts/accounts.ts';
import { typesIn } from '../accounts/permissions.ts';
import { ApiError } from '../http/errors.ts';
import { uploadTooLarge } from '../http/read-bytes.ts';
import { MEGABYTE } from '../lib/bytes.ts';

type Limited = Pick<AccountRecord, 'permissions'>;

/** Bytes that an upload may have, `upload_max_size`. What is copied within the house was let in before. */
export function maxUploadBytes({ permissions }: Limited): number {
  const megabytes = permissions.upload_max_size;
  return megabytes === 0 ? Number.MAX_SAFE_INTEGER : megabytes * MEGABYTE;
}

/** @param bytes as announced @throws ApiError `upload_too_large` */
export function checkUploadSize(account: Limited, bytes: number): void {
  const limit = maxUploadBytes(account);
  if (bytes > limit) throw uploadTooLarge(limit);
}

/** The extensions that an account may bring; empty: every type. */
export function allowedTypes({ permissions }: Limited): readonly string[] {
  return typesIn(permissions.upload_limit_types);
}

/** Whether a file may be called so. A name without an extension, such as `.jpg`, is of no type at all. */
export function isOfType(types: readonly string[], name: string): boolean {
  const lower = name.toLowerCase();
  return types.length === 0 || types.some((type) => lower.length > type.length + 1 && lower.endsWith(`.${type}`));
}

/**
 * Holds a file that comes, comes back or is copied against `upload_limit_types`.
 * @param name of the file, without the way to it
 * @param path to be told, where it is not what was asked for: of a file somewhere in a folder
 * @throws ApiError `type_not_allowed`
 */
export function checkType(account: Limited, name: string, path?: string): void {
  const allowed = allowedTypes(account);
  if (isOfType(allowed, name)) return;
  throw new ApiError('type_not_allowed', `"${name}" is not of a type that this account may bring.`, {
    details: { filename: name, ...(path === undefined ? {} : { path }), allowed },
  });
}

/** The same for another name: a file that is there already may keep its extension. @throws ApiError */
export function checkNewType(account: Limited, before: string, name: string): void {
  const isAsBefore = extensionOf(before) === extensionOf(name) && !isOfType(allowedTypes(account), before);
  if (!isAsBefore) checkType(account, name);
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot).toLowerCase();
}
