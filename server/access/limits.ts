import type { AccountRecord } from '../accounts/accounts.ts';
import { typesIn } from '../accounts/permissions/permissions.ts';
import { ApiError } from '../http/errors.ts';
import { uploadTooLarge } from '../http/request/read-bytes.ts';
import { MEGABYTE } from '../lib/bytes.ts';
import { t } from '../messages/messages.ts';
import type { ShareRights } from './rights.ts';

type Limited = Pick<AccountRecord, 'permissions'>;

/** Everyone whose limits apply to an upload. */
export type Limits = readonly Limited[];

/** For a destination: the caller's limits and those of everyone who shares it, none of whom could upload more themselves. */
export function limitsIn(account: Limited, { share }: { readonly share: ShareRights | null }): Limits {
  return share === null ? [account] : [account, ...share.grantors];
}

/** Bytes that an upload may have, `upload_max_size`. Copies inside the household were checked at upload. */
export function maxUploadBytes(limits: Limits): number {
  const megabytes = limits.map(({ permissions }) => permissions.upload_max_size).filter((size) => size > 0);
  return megabytes.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...megabytes) * MEGABYTE;
}

/** @param bytes as announced @throws ApiError `upload_too_large` */
export function checkUploadSize(limits: Limits, bytes: number): void {
  const limit = maxUploadBytes(limits);
  if (bytes > limit) throw uploadTooLarge(limit);
}

/** The extensions that an account may bring; empty: every type. */
export function allowedTypes({ permissions }: Limited): readonly string[] {
  return typesIn(permissions.upload_limit_types);
}

/** Whether some types may not be uploaded at all. */
export function areTypesLimited(limits: Limits): boolean {
  return limits.some((limited) => allowedTypes(limited).length > 0);
}

/** Whether a file may be called so. A name without an extension, such as `.jpg`, is of no type at all. */
export function isOfType(types: readonly string[], name: string): boolean {
  const lower = name.toLowerCase();
  return types.length === 0 || types.some((type) => lower.length > type.length + 1 && lower.endsWith(`.${type}`));
}

/**
 * Checks a file that is uploaded, restored or copied against `upload_limit_types`.
 * @param name of the file, without its folder
 * @param path for the error, where it differs from the requested one: of a file inside a folder
 * @throws ApiError `type_not_allowed`
 */
export function checkType(limits: Limits, name: string, path?: string): void {
  const allowed = limits.map(allowedTypes).find((types) => !isOfType(types, name));
  if (allowed === undefined) return;
  throw new ApiError('type_not_allowed', t('api.access.typeNotAllowed', { name }), {
    details: { filename: name, ...(path === undefined ? {} : { path }), allowed },
  });
}

/** The same for a rename: an existing file may keep its extension. @throws ApiError */
export function checkNewType(limits: Limits, before: string, name: string): void {
  for (const limited of limits) {
    const isAsBefore = extensionOf(before) === extensionOf(name) && !isOfType(allowedTypes(limited), before);
    if (!isAsBefore) checkType([limited], name);
  }
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot).toLowerCase();
}
