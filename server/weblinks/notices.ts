import type { Accounts } from '../accounts/accounts.ts';
import { blockReason } from '../accounts/permissions/account-status.ts';
import type { FilesDatabase } from '../database/database.ts';
import { type Clock, MINUTE, SECOND } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import { type LinkNews, weblinkMail } from '../mail/mails.ts';
import { t } from '../messages/messages.ts';
import type { Settings } from '../settings/settings.ts';
import type { LinkRecord } from './link-record.ts';

/** Mails to the maker of a link about its use, if requested: many files that arrive together make one mail. */
export interface LinkNotices {
  note(link: Pick<LinkRecord, 'number' | 'notify'>, kind: LinkNews['kind'], visitor: string): Promise<void>;
  /** Queues the mails that are due. */
  flush(): Promise<void>;
  start(): void;
  close(): void;
}

/** Milliseconds without anything new after which a mail is sent, and after which it is sent in any case. */
const QUIET = 2 * MINUTE;
const LATEST = 15 * MINUTE;
const CHECK_INTERVAL = 15 * SECOND;
/** Most names per link and mail; further visitors are not named. */
const MAX_NAMED = 50;

interface NoticeRow {
  link: number;
  kind: LinkNews['kind'];
  visitor: string;
  times: number;
}

export function createLinkNotices({
  database,
  accounts,
  settings,
  mails,
  clock,
  log,
}: {
  readonly database: FilesDatabase;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly settings: Settings;
  readonly mails: Pick<MailQueue, 'post'>;
  readonly clock: Clock;
  readonly log: Log;
}): LinkNotices {
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    const now = clock.now();
    const due = await database.all<{ link: number }>(
      'SELECT link FROM weblink_notices GROUP BY link HAVING max(last_at) <= ? OR min(first_at) <= ?',
      [now - QUIET, now - LATEST],
    );
    for (const { link } of due) await send(link);
  }

  async function send(link: number): Promise<void> {
    const about = await database.get<{ creator_id: number; name: string; items: number }>(
      `SELECT l.creator_id, i.name, (SELECT count(*) FROM weblink_items WHERE link = l.number) AS items
       FROM weblinks l JOIN items i ON i.id = l.item_id WHERE l.number = ?`,
      [link],
    );
    const creator = about === undefined ? null : await accounts.byId(about.creator_id);
    const { householdName: household, baseUrl } = settings.values;
    await database.write(async (tx) => {
      const news = await tx.all<NoticeRow & { first_at: number }>(
        'DELETE FROM weblink_notices WHERE link = ? RETURNING *',
        [link],
      );
      const isWanted = creator !== null && creator.email !== '' && blockReason(creator, clock.now()) === null;
      if (!isWanted || about === undefined || news.length === 0) return;
      news.sort((a, b) => a.first_at - b.first_at);
      const name =
        about.items > 1 ? t('mail.weblink.several', { name: about.name, count: about.items - 1 }) : about.name;
      const url = baseUrl === '' ? null : `${baseUrl.replace(/\/$/, '')}/files/?path=/LINKS`;
      await mails.post(tx, weblinkMail({ to: creator.email, greeting: creator.name, household, name, news, url }));
    });
  }

  return {
    async note({ number, notify }, kind, visitor) {
      if (!notify) return;
      const now = clock.now();
      await database.write((tx) =>
        tx.run(
          `INSERT INTO weblink_notices (link, kind, visitor, times, first_at, last_at)
           SELECT number, ?2, CASE WHEN ?4 > (SELECT count(*) FROM weblink_notices WHERE link = ?1 AND visitor NOT IN (?3, ''))
             THEN ?3 ELSE '' END, 1, ?5, ?5 FROM weblinks WHERE number = ?1
           ON CONFLICT DO UPDATE SET times = times + 1, last_at = excluded.last_at`,
          [number, kind, visitor, MAX_NAMED, now],
        ),
      );
    },
    flush,
    start() {
      timer = setInterval(() => {
        flush().catch((error: unknown) => log.warn({ err: error }, 'failed to notify about a visit of a web link'));
      }, CHECK_INTERVAL);
      timer.unref();
    },
    close: () => clearInterval(timer),
  };
}
