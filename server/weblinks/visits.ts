import type { FilesDatabase, Transaction } from '../database/database.ts';
import { type Clock, DAY } from '../lib/clock.ts';
import type { LinkRecord } from './link-record.ts';

/** What a browser has passed at a link, and what its visitor entered. */
export interface Visit {
  readonly passwordShown: boolean;
  readonly termsAccepted: boolean;
  /** The visitor's name, as they entered it. */
  readonly name: string;
}

/** Visits to links by browser. Browsers are identified by the hash of a secret in their cookie. */
export interface Visits {
  /** @param visitor null for a browser without a cookie */
  find(link: number, visitor: Buffer | null): Promise<Visit>;
  /** Whether anything is stored about a browser at a link. */
  isKnown(link: number, visitor: Buffer): Promise<boolean>;
  /** Whether a browser has ever entered a right password of the link, even one changed since. */
  hasEntered(link: number, visitor: Buffer): Promise<boolean>;
  /** @param link as the visitor saw it: with another password or terms by now, nothing is stored */
  note(link: LinkRecord, visitor: Buffer, changes: Partial<Visit>): Promise<void>;
  /** Invalidates what was passed before. */
  askAgain(tx: Transaction, link: number, what: { readonly password: boolean; readonly terms: boolean }): Promise<void>;
  purge(): Promise<void>;
}

/** What a visitor still has to pass at a link, the first first; null for nothing. */
export function gateOf(
  link: Pick<LinkRecord, 'requireLogin' | 'passwordHash' | 'downloadTerms'>,
  { passwordShown, termsAccepted }: Visit,
  isSignedIn: boolean,
): 'login' | 'password' | 'terms' | null {
  if (link.requireLogin && !isSignedIn) return 'login';
  if (link.passwordHash !== null && !passwordShown) return 'password';
  return link.downloadTerms !== '' && !termsAccepted ? 'terms' : null;
}

const RETAINED_FOR = 90 * DAY;
const FIRST: Visit = { passwordShown: false, termsAccepted: false, name: '' };

export function createVisits(database: FilesDatabase, clock: Clock): Visits {
  return {
    async find(link, visitor) {
      if (visitor === null) return FIRST;
      const row = await database.get<{ password_shown: number; terms_accepted: number; name: string }>(
        'SELECT password_shown, terms_accepted, name FROM weblink_visits WHERE link = ? AND visitor = ?',
        [link, visitor],
      );
      if (row === undefined) return FIRST;
      return { passwordShown: row.password_shown === 1, termsAccepted: row.terms_accepted === 1, name: row.name };
    },

    async isKnown(link, visitor) {
      const sql = 'SELECT 1 FROM weblink_visits WHERE link = ? AND visitor = ?';
      return (await database.get(sql, [link, visitor])) !== undefined;
    },

    async hasEntered(link, visitor) {
      const sql = 'SELECT 1 FROM weblink_visits WHERE link = ? AND visitor = ? AND has_entered = 1';
      return (await database.get(sql, [link, visitor])) !== undefined;
    },

    async note(link, visitor, { passwordShown = null, termsAccepted = null, name = null }) {
      const values = [passwordShown, termsAccepted].map((value) => (value === null ? null : Number(value)));
      await database.write((tx) =>
        tx.run(
          `INSERT INTO weblink_visits (link, visitor, password_shown, has_entered, terms_accepted, name, seen_at)
           SELECT number, ?2, coalesce(?3, 0), coalesce(?3, 0), coalesce(?4, 0), coalesce(?5, ''), ?6 FROM weblinks
             WHERE number = ?1 AND password_hash IS ?7 AND download_terms = ?8
           ON CONFLICT DO UPDATE SET password_shown = coalesce(?3, password_shown),
             has_entered = max(has_entered, coalesce(?3, 0)),
             terms_accepted = coalesce(?4, terms_accepted), name = coalesce(?5, name), seen_at = ?6`,
          [link.number, visitor, ...values, name, clock.now(), link.passwordHash, link.downloadTerms],
        ),
      );
    },

    async askAgain(tx, link, { password, terms }) {
      if (password) await tx.run('UPDATE weblink_visits SET password_shown = 0 WHERE link = ?', [link]);
      if (terms) await tx.run('UPDATE weblink_visits SET terms_accepted = 0 WHERE link = ?', [link]);
    },

    async purge() {
      const before = clock.now() - RETAINED_FOR;
      const old = await database.get('SELECT 1 FROM weblink_visits WHERE seen_at <= ? LIMIT 1', [before]);
      if (old === undefined) return;
      await database.write((tx) => tx.run('DELETE FROM weblink_visits WHERE seen_at <= ?', [before]));
    },
  };
}
