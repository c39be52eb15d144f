import { createHmac, randomBytes } from 'node:crypto';
import type { Session } from '../../accounts/sign-in/sessions.ts';
import { type Clock, HOUR } from '../../lib/clock.ts';
import { equalSecrets } from '../../lib/random.ts';

/**
 * Authorizes a preview to load content. It is part of the address, for requests without cookies, such as those of a sandboxed
 * frame. A ticket is invalid after the server restarts; the page is loaded again then.
 */
export interface ContentTickets {
  /** @param subject everything the ticket covers: its holder, and what it opens; see `holderOf` */
  issue(subject: string): string;
  isGood(ticket: unknown, subject: string): boolean;
}

/**
 * The holder of a ticket, for its subject: one session of an account with one password. The ticket ends with the session, and
 * with the password even if the session continues.
 */
export function holderOf({ id, account }: Session): string {
  return `session ${id} ${account.passwordChangedAt ?? 0}`;
}

/** Long enough to watch a film. */
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
