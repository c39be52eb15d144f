import type { ErrorCode } from '../../http/errors.ts';
import type { MessageKey } from '../../messages/catalogue.ts';
import { t } from '../../messages/messages.ts';

const SENTENCES = {
  storage_offline: 'links.errors.storageOffline',
  not_found: 'links.errors.notFound',
  permission_denied: 'links.errors.noPermission',
  https_required: 'links.errors.httpsRequired',
  quota_exceeded: 'links.errors.noSpace',
  disk_full: 'links.errors.noSpace',
  temporarily_unavailable: 'links.errors.unavailable',
  type_not_allowed: 'links.errors.typeNotAllowed',
  already_exists: 'links.errors.alreadyExists',
} as const satisfies Partial<Record<ErrorCode, MessageKey>>;

/** The text of a failure for visitors; undefined where the API's own text reveals nothing about the household. */
export function linkSentence(code: ErrorCode): string | undefined {
  return code in SENTENCES ? t(SENTENCES[code as keyof typeof SENTENCES]) : undefined;
}
