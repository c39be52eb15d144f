import { invalidParameter } from '../http/errors.ts';
import { t } from '../messages/messages.ts';

/** RFC 4918 §10.6. @throws ApiError `invalid_parameter`: with anything else, something would be replaced that must not be */
export function mayOverwrite(header: string | string[] | undefined): boolean {
  const value = String(header ?? 'T')
    .trim()
    .toUpperCase();
  if (value === 'T' || value === 'F') return value === 'T';
  throw invalidParameter('Overwrite', t('api.webdav.overwrite'));
}
