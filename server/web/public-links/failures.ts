import type { ErrorCode } from '../../http/errors.ts';
import type { MessageKey } from '../../messages/catalogue.ts';
import { t } from '../../messages/messages.ts';
import { LINK_FAILURES } from './failure-keys.ts';

const SENTENCES = LINK_FAILURES satisfies Partial<Record<ErrorCode, MessageKey>>;

/** The text of a failure for visitors; undefined where the API's own text reveals nothing about the household. */
export function linkSentence(code: ErrorCode): string | undefined {
  return code in SENTENCES ? t(SENTENCES[code as keyof typeof SENTENCES]) : undefined;
}
