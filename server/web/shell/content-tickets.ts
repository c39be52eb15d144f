import { createHmac, randomBytes } from 'node:crypto';
import type { Session } from '../../accounts/sign-in/sessions.ts';
import { type Clock, HOUR } from '../../lib/clock.ts';
import { equalSecrets } from '../../lib/random.ts';

/**
 * What lets a preview have a content. It stands in the address, for requests that carry no cookies: those of a frame in which
 * something of others is shown. Tickets of a server that has stopped open nothing; the page is loaded again then.
 */
export interface ContentTickets {
  /** @param subject everything that the ticket is for: whose it is, and what it opens; see `holderOf` */
  issue(subject: string): string;
  isGood(ticket: unknown, subject: string): boolean;
}

/**
 * Whom a ticket is issued to, for its subject: one session of an account with one password. It ends with the session, and with
 * the password, also where the session that changed it stays.
 */
export function holderOf({ id, account }: Session): string {
  return `session ${id} ${account.passwordChangedAt ?? 0}`;
}

/** A film is watched in one evening. */
const VALID_FOR = 12 * HOUR;

export function createContentTickets(clock: Clock): ContentTickets {
  const key = randomBytes(32);
  const signed = (expires: string, subject: string) =>
    createHmac('sha256', key).update(`${expires}\n${subject}`).digest('base64url');
  return {
    issue(subject) {
      const expires = (clock.now() + VALID_FOR).toString(36);
      return `${expires}.${signed(expires, subject)}`;
    },
    isGood(ticket, subject) {
      const [expires = '', signature = ''] = typeof ticket === 'string' ? ticket.split('.', 2) : [];
      return equalSecrets(signature, signed(expires, subject)) && Number.parseInt(expires, 36) > clock.now();
    },
  };
}
