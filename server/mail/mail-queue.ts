import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { ActivityDatabase, Transaction } from '../database/database.ts';
import { settled } from '../lib/async/settled.ts';
import { waitUnlessAborted } from '../lib/async/wait-unless-aborted.ts';
import { type Clock, DAY, HOUR, MINUTE } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';
import { type Mailer, MailProblem } from './mailer.ts';
import type { Message } from './message.ts';

/**
 * A queue of mails in the database: they survive a restart, and are sent later if the mail server is unavailable. Mails with
 * secrets, such as a link to reset a password, use `Mailer.send` instead, which stores nothing.
 */
export interface MailQueue {
  /** Queues a mail as part of the transaction. Without a mail server nothing is written. */
  post(tx: Transaction, message: Message): Promise<void>;
  start(): void;
  /** Waits briefly for a mail that is being sent. */
  close(): Promise<void>;
  /** The number of waiting mails, and why the last try failed. */
  state(): Promise<{ waiting: number; problem: string | null }>;
}

const messageSchema: z.ZodType<Message> = z.object({
  to: z.string(),
  subject: z.string(),
  heading: z.string(),
  paragraphs: z.array(z.string()),
  button: z.object({ label: z.string(), url: z.string(), help: z.string() }).nullable(),
  why: z.string(),
});

/** The pauses after failed tries; the last one is repeated. */
const PAUSES = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR];
/** After this time a mail is dropped as outdated. */
const KEPT = 3 * DAY;
const MAX_WAITING = 1_000;
const BATCH_SIZE = 20;
/** Milliseconds between two checks for due mails, while any are waiting. */
const CHECK_INTERVAL = 1_000;
const CLOSE_TIMEOUT = 2_000;

interface MailRow {
  id: number;
  message: string;
  tries: number;
}

export function createMailQueue({
  database,
  mailer,
  clock,
  log,
}: {
  readonly database: ActivityDatabase;
  readonly mailer: Pick<Mailer, 'isSetUp' | 'sendNow'>;
  readonly clock: Clock;
  readonly log: Log;
}): MailQueue {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let problem: string | null = null;
  let wake = () => {};

  async function send({ id, message, tries }: MailRow): Promise<void> {
    try {
      await mailer.sendNow(messageSchema.parse(JSON.parse(message)));
      problem = null;
      await database.write((tx) => tx.run('DELETE FROM mails WHERE id = ?', [id]));
    } catch (error) {
      problem = error instanceof MailProblem ? error.message : t('mail.problems.failed');
      log.warn({ mail: id, tried: tries + 1, why: String(error) }, 'failed to send a mail');
      if (error instanceof MailProblem && !error.isFinal) {
        const next = clock.now() + (PAUSES[Math.min(tries, PAUSES.length - 1)] ?? HOUR);
        await database.write((tx) =>
          tx.run('UPDATE mails SET tries = tries + 1, next_at = ? WHERE id = ?', [next, id]),
        );
      } else await database.write((tx) => tx.run('DELETE FROM mails WHERE id = ?', [id]));
    }
  }

  /** @returns whether any are left */
  async function round(): Promise<boolean> {
    const now = clock.now();
    const [old] = await database.all<{ id: number }>('SELECT id FROM mails WHERE expires_at <= ? LIMIT 1', [now]);
    if (old !== undefined) {
      await database.write((tx) => tx.run('DELETE FROM mails WHERE expires_at <= ?', [now]));
      log.warn('gave up mails that could not be sent for three days');
    }
    const due = mailer.isSetUp()
      ? await database.all<MailRow>(
          'SELECT id, message, tries FROM mails WHERE next_at <= ? ORDER BY next_at LIMIT ?',
          [now, BATCH_SIZE],
        )
      : [];
    for (const row of due) {
      if (stopping.signal.aborted) return true;
      await send(row);
    }
    return (await database.get('SELECT 1 FROM mails LIMIT 1')) !== undefined;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const posted = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const isLeft = await round().catch((error: unknown) => {
        log.error({ err: error }, 'failed to read the queue of mails');
        return true;
      });
      const { signal } = stopping;
      const next = isLeft ? waitUnlessAborted(CHECK_INTERVAL, signal) : posted;
      await Promise.race([next, posted]);
    }
  }

  return {
    async post(tx, message) {
      if (!mailer.isSetUp()) return;
      const row = await tx.get<{ count: number }>('SELECT count(*) AS count FROM mails');
      if ((row?.count ?? 0) >= MAX_WAITING) {
        log.warn({ subject: message.subject }, 'the queue of mails is full: refused a mail');
        return;
      }
      const now = clock.now();
      await tx.run('INSERT INTO mails (message, next_at, expires_at) VALUES (?, ?, ?)', [
        JSON.stringify(message),
        now,
        now + KEPT,
      ]);
      tx.afterCommit(() => wake());
    },

    start() {
      running = run();
    },

    async close() {
      stopping.abort();
      wake();
      const timeout = new AbortController();
      const enough = settled(wait(CLOSE_TIMEOUT, undefined, { signal: timeout.signal }));
      await Promise.race([running, enough]);
      timeout.abort();
    },

    async state() {
      const row = await database.get<{ waiting: number }>('SELECT count(*) AS waiting FROM mails');
      return { waiting: row?.waiting ?? 0, problem: row?.waiting === 0 ? null : problem };
    },
  };
}
