import { type Clock, HOUR } from '../lib/clock.ts';

/** How many mails one person can make the household send by sharing: enough for a large family, too few to annoy others with. */
export interface MailLimit {
  /** @returns false for one too many within the hour */
  take(sharerId: number): boolean;
}

/** Mails of one sharer within an hour. */
const MOST = 200;

export function createMailLimit(clock: Clock): MailLimit {
  let hour = 0;
  const sent = new Map<number, number>();
  return {
    take(sharerId) {
      const now = Math.floor(clock.now() / HOUR);
      if (now !== hour) sent.clear();
      hour = now;
      const count = (sent.get(sharerId) ?? 0) + 1;
      sent.set(sharerId, count);
      return count <= MOST;
    },
  };
}
