import type { z } from 'zod';
import { MINUTE } from '../../../lib/clock.ts';
import { parseDatetime } from '../../../lib/datetime.ts';
import { t } from '../../../messages/messages.ts';
import type { linkDetailsSchema } from '../../../weblinks/link-details.ts';
import { linkEnd } from '../../../weblinks/link-end.ts';

import { spoken } from '../../shell/relative-time.ts';

/** A link as its maker sees it. */
export type KnownLink = z.infer<typeof linkDetailsSchema>;

/** Below this, the remaining time is shown instead of the expiry time. */
const SOON = 60 * MINUTE;

/** Why a link no longer works; null while it does. */
export function endOfKnown({ expiry, download_limit: downloadLimit, downloads }: KnownLink, now: number) {
  return linkEnd({ expiresAt: timeOf(expiry), downloadLimit, downloads }, now);
}

/** The state of a link, as short texts. */
export function stateOf(link: KnownLink, now: number): string[] {
  const { expiry, download_limit: limit, downloads } = link;
  const until = timeOf(expiry);
  const end = endOfKnown(link, now);
  if (end === 'link_used_up') return [t('weblinks.state.usedUp', { limit })];
  if (end !== null) return [t('weblinks.state.expired', { date: spoken(until ?? now, now) })];
  const facts = [
    ...(link.allow_uploads ? [link.allow_downloads ? t('weblinks.state.both') : t('weblinks.state.request')] : []),
    ...(until === null ? [] : [untilText(until, now)]),
    ...(limit === 1
      ? [t('weblinks.state.once')]
      : limit > 0
        ? [t('weblinks.state.used', { used: downloads, limit })]
        : []),
    ...(link.password ? [t('weblinks.state.password')] : []),
    ...(link.require_login ? [t('weblinks.state.household')] : []),
    ...(link.download_terms === '' ? [] : [t('weblinks.state.terms')]),
  ];
  return facts.length === 0 ? [t('weblinks.state.open')] : facts;
}

function untilText(until: number, now: number): string {
  const left = until - now;
  return left < SOON
    ? t('weblinks.state.minutesLeft', { minutes: Math.max(1, Math.round(left / MINUTE)) })
    : t('weblinks.state.until', { date: spoken(until, now) });
}

function timeOf(expiry: string | null): number | null {
  return expiry === null ? null : parseDatetime(expiry);
}
