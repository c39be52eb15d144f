import type { z } from 'zod';
import { MINUTE } from '../../../lib/clock.ts';
import { parseDatetime } from '../../../lib/datetime.ts';
import type { linkDetailsSchema } from '../../../weblinks/link-details.ts';
import { linkEnd } from '../../../weblinks/link-end.ts';

import { spoken } from '../../shell/relative-time.ts';
import { weblinkTexts } from './texts.ts';

/** A link as whoever made it sees it. */
export type KnownLink = z.infer<typeof linkDetailsSchema>;

/** Shorter than this, it is said how long it still opens, and not until when. */
const SOON = 60 * MINUTE;

/** Why a link opens nothing any more; null while it opens. */
export function endOfKnown({ expiry, download_limit: downloadLimit, downloads }: KnownLink, now: number) {
  return linkEnd({ expiresAt: timeOf(expiry), downloadLimit, downloads }, now);
}

/** What there is to know of a link, in a few words each. */
export function stateOf(link: KnownLink, now: number): string[] {
  const { state } = weblinkTexts;
  const { expiry, download_limit: limit, downloads } = link;
  const until = timeOf(expiry);
  const end = endOfKnown(link, now);
  if (end === 'link_used_up') return [state.usedUp(limit)];
  if (end !== null) return [state.expired(spoken(until ?? now, now))];
  const said = [
    ...(link.allow_uploads ? [link.allow_downloads ? state.both : state.request] : []),
    ...(until === null ? [] : [untilText(until, now)]),
    ...(limit === 1 ? [state.once] : limit > 0 ? [state.used(downloads, limit)] : []),
    ...(link.password ? [state.password] : []),
    ...(link.require_login ? [state.household] : []),
    ...(link.download_terms === '' ? [] : [state.terms]),
  ];
  return said.length === 0 ? [state.open] : said;
}

function untilText(until: number, now: number): string {
  const { state } = weblinkTexts;
  const left = until - now;
  return left < SOON ? state.minutesLeft(Math.max(1, Math.round(left / MINUTE))) : state.until(spoken(until, now));
}

function timeOf(expiry: string | null): number | null {
  return expiry === null ? null : parseDatetime(expiry);
}
