import { quotaOf } from '../access/quota.ts';
import { accountsOfHome } from '../accounts/account-rows.ts';
import { blockReason } from '../accounts/permissions/account-status.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Events } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import { humanSize } from '../listing/human.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import { quotaMail } from '../mail/mails.ts';
import type { Settings } from '../settings/settings.ts';

/** The fraction of the quota above which people are warned; below it they may be warned again. */
const NEARLY_FULL = 0.9;
const ROOM_AGAIN = 0.85;
/** Milliseconds within which several uploads are checked together. */
const GATHER = 1_000;

interface QuotaWarnings {
  close(): Promise<void>;
}

/**
 * Warns people by mail, once, that their home is nearly full, until there is space again: those with an address who want mails.
 */
export function createQuotaWarnings({
  database,
  events,
  settings,
  mails,
  clock,
  log,
}: {
  readonly database: Database;
  readonly events: Events;
  readonly settings: Pick<Settings, 'values'>;
  readonly mails: Pick<MailQueue, 'post'>;
  readonly clock: Clock;
  readonly log: Log;
}): QuotaWarnings {
  const waiting = new Map<string, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  function scheduleCheck({ homeId }: { readonly homeId: string }): void {
    if (waiting.has(homeId)) return;
    const timer = setTimeout(() => {
      waiting.delete(homeId);
      const work: Promise<void> = check(homeId)
        .catch((error) => log.error({ err: error, home: homeId }, 'failed to check whether a home is nearly full'))
        .finally(() => underWay.delete(work));
      underWay.add(work);
    }, GATHER);
    waiting.set(homeId, timer.unref());
  }

  async function check(homeId: string): Promise<void> {
    const home = await database.get<{ used: number; full_warned: number }>(
      'SELECT used, full_warned FROM homes WHERE id = ?',
      [homeId],
    );
    if (home === undefined) return;
    const accounts = await accountsOfHome(database, homeId);
    const quota = quotaOf(accounts);
    const share = quota === null ? 0 : home.used / quota;
    const isWarned = home.full_warned === 1;
    if (isWarned ? share >= ROOM_AGAIN : share < NEARLY_FULL || quota === null) return;
    const { householdName: household, baseUrl } = settings.values;
    const now = clock.now();
    await database.activity.write(async (tx) => {
      await tx.run('UPDATE homes SET full_warned = ? WHERE id = ?', [isWarned ? 0 : 1, homeId]);
      if (isWarned || quota === null) return;
      for (const account of accounts) {
        const mayNotify = account.receiveNotifications && account.email !== '';
        if (!mayNotify || blockReason(account, now) !== null) continue;
        const { email: to, name } = account;
        const sizes = { used: humanSize(home.used), quota: humanSize(quota) };
        await mails.post(tx, quotaMail({ to, name, household, url: accountUrl(baseUrl), ...sizes }));
      }
    });
  }

  const unsubscribe = [
    events.on('file.created', scheduleCheck),
    events.on('file.overwritten', scheduleCheck),
    events.on('folder.created', scheduleCheck),
    events.on('archive.extracted', scheduleCheck),
    // After a move to another home, both have to be checked.
    events.on('item.moved', ({ homeId, between }) => {
      if (between === null) return;
      scheduleCheck({ homeId });
      scheduleCheck({ homeId: between.fromHomeId });
    }),
    // These free space.
    events.on('item.removed', scheduleCheck),
    events.on('trash.emptied', scheduleCheck),
    events.on('version.removed', scheduleCheck),
    events.on('versions.expired', scheduleCheck),
  ];

  return {
    async close() {
      for (const end of unsubscribe) end();
      for (const timer of waiting.values()) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}

/** Null while the owner has not set the household's address: a mail must not guess it. */
function accountUrl(baseUrl: string): string | null {
  return baseUrl === '' ? null : `${baseUrl.replace(/\/$/, '')}/account/`;
}
