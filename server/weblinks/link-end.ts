import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import type { LinkRecord } from './link-record.ts';

/** Why a link that still exists opens nothing. */
type LinkEnd = 'link_expired' | 'link_used_up';

/** The only place that decides whether a link has ended; null while it works. @param now milliseconds since the epoch */
export function linkEnd(
  { expiresAt, downloadLimit, downloads }: Pick<LinkRecord, 'expiresAt' | 'downloadLimit' | 'downloads'>,
  now: number,
): LinkEnd | null {
  if (expiresAt !== null && expiresAt <= now) return 'link_expired';
  return downloadLimit > 0 && downloads >= downloadLimit ? 'link_used_up' : null;
}

/**
 * Refuses what a link that has ended no longer opens. A download that used the link up may be finished; an expired link is closed
 * for everyone.
 * @param mayFinish whether such a download is in progress; called only for a link that is used up
 * @throws ApiError `link_expired`, `link_used_up`
 */
export function refuseEnded(link: LinkRecord, now: number, mayFinish: () => boolean = () => false): void {
  const end = linkEnd(link, now);
  if (end !== null && (end === 'link_expired' || !mayFinish())) throw ended(end);
}

/** @returns the error to throw */
export function ended(end: LinkEnd): ApiError {
  return new ApiError(end, t('api.links.ended'));
}
