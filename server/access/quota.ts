import { accountsOfHome } from '../accounts/account-rows.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home } from '../catalogue/homes.ts';
import { cachedReads } from '../database/cached-reads.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { MEGABYTE } from '../lib/bytes.ts';
import { KeyedQueue } from '../lib/concurrency/keyed-queue.ts';
import { t } from '../messages/messages.ts';

/** Space reserved in a home for content in transit. */
export interface Reservation {
  /** Raises the reservation to this total. @throws ApiError `quota_exceeded`; the reservation then stays as it was */
  grow(bytes: number): Promise<void>;
  /** Runs the work that writes the rows, then releases, even on failure: from then on the rows count. */
  settle<T>(work: () => Promise<T>): Promise<T>;
  /** Releases the reservation; has no effect if it is released already. */
  release(): void;
}

/** A request for space: how much, for whom, and where. */
interface Demand {
  /** A visitor has no home. */
  readonly caller: { readonly account?: Pick<AccountRecord, 'homeId'> | undefined };
  readonly home: Pick<Home, 'id'>;
  /** The total. */
  readonly bytes: number;
  /** The chunked upload it belongs to: its stored chunks are part of these bytes. */
  readonly uploadId?: string | undefined;
}

/**
 * `space_quota_max` of the account whose home it is (§2.8): files, versions, the trash and chunks of uploads count. Space is
 * reserved before content is received. Reservations are in memory, because one server owns the folder.
 */
export interface Quotas {
  /** Whether the home has a quota at all. */
  isLimited(home: Pick<Home, 'id'>): Promise<boolean>;
  /** The bytes stored in a home, and its quota; null for no limit. */
  usage(home: Pick<Home, 'id'>): Promise<{ readonly used: number; readonly quota: number | null }>;
  /** Checks for space without reserving any. @throws ApiError `quota_exceeded` */
  check(demand: Demand): Promise<void>;
  /** @throws ApiError `quota_exceeded`, with `quota`, `used` and `needed` in bytes */
  reserve(demand: Demand): Promise<Reservation>;
}

interface Held {
  bytes: number;
  readonly uploadId: string | undefined;
  /** Ends when its rows are written; until then they may or may not be counted already. */
  settling: Promise<void> | null;
}

/** Reservations in one home. */
interface Book {
  readonly held: Set<Held>;
  /** Number of releases so far. */
  releases: number;
}

/** Number of homes whose limit is cached between two writes to the database. */
const KNOWN_HOMES = 1_000;
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Bytes that the home of these accounts may use: the largest of their quotas. Null for no limit. */
export function quotaOf(accounts: readonly Pick<AccountRecord, 'permissions'>[]): number | null {
  const megabytes = accounts.map(({ permissions }) => permissions.space_quota_max);
  return megabytes.length === 0 || megabytes.includes(0) ? null : Math.max(...megabytes) * MEGABYTE;
}

export function createQuotas(database: Pick<Database, 'all' | 'get' | 'unchangedSince'>): Quotas {
  const books = new Map<string, Book>();
  /** Bytes. */
  const limitOf = cachedReads(database, 'accounts', KNOWN_HOMES, async (homeId: string) => {
    return quotaOf(await accountsOfHome(database, homeId)) ?? NO_LIMIT;
  });
  const queue = new KeyedQueue();

  function bookOf({ id }: Pick<Home, 'id'>): Book {
    const book = books.get(id) ?? { held: new Set(), releases: 0 };
    books.set(id, book);
    return book;
  }

  /** Usage according to the rows. An upload whose chunks are reserved here is counted here instead. */
  async function storedIn(homeId: string, heldUploads: readonly string[]): Promise<number> {
    const row = await database.get<{ bytes: number }>(
      `SELECT used + (SELECT coalesce(sum(received), 0) FROM uploads
         WHERE home_id = homes.id AND id NOT IN (SELECT value FROM json_each(?2))) AS bytes FROM homes WHERE id = ?1`,
      [homeId, JSON.stringify(heldUploads)],
    );
    return row?.bytes ?? 0;
  }

  /**
   * Returns once there is room. The rows of a settling reservation may or may not be counted yet; waits for settling
   * reservations only if they decide.
   * @param own the reservation that the demand has already
   */
  async function admit({ caller, home, bytes, uploadId }: Demand, own: Held | null): Promise<void> {
    const book = bookOf(home);
    for (;;) {
      const limit = await limitOf(home.id);
      if (limit === NO_LIMIT || bytes === 0) return;
      const others = () => [...book.held].filter((one) => one !== own && (!uploadId || one.uploadId !== uploadId));
      const uploads = [uploadId, ...others().map((one) => one.uploadId)].filter((id) => id !== undefined);
      const { releases } = book;
      const stored = await storedIn(home.id, uploads);
      // Given back while the rows were read: they may be those from before.
      if (book.releases !== releases) continue;
      const settling = others().filter((one) => one.settling !== null);
      const all = stored + sum(others());
      if (all + bytes <= limit) return;
      if (all - sum(settling) + bytes > limit) throw exceeded(caller.account?.homeId === home.id, limit, all, bytes);
      await Promise.race(settling.map((one) => one.settling));
    }
  }

  function hold(demand: Demand): Reservation {
    const book = bookOf(demand.home);
    const own: Held = { bytes: demand.bytes, uploadId: demand.uploadId, settling: null };
    book.held.add(own);
    const release = () => {
      if (book.held.delete(own)) book.releases += 1;
    };
    return {
      release,
      async grow(bytes) {
        if (bytes <= own.bytes) return;
        await queue.run(demand.home.id, async () => {
          await admit({ ...demand, bytes }, own);
          own.bytes = bytes;
        });
      },
      async settle(work) {
        let end = () => {};
        own.settling = new Promise((resolve) => {
          end = resolve;
        });
        try {
          return await work();
        } finally {
          release();
          end();
        }
      },
    };
  }

  return {
    isLimited: async ({ id }) => (await limitOf(id)) !== NO_LIMIT,
    async usage({ id }) {
      const limit = await limitOf(id);
      return { used: await storedIn(id, []), quota: limit === NO_LIMIT ? null : limit };
    },
    check: (demand) => admit(demand, null),
    async reserve(demand) {
      if ((await limitOf(demand.home.id)) === NO_LIMIT) return hold(demand);
      return queue.run(demand.home.id, async () => {
        await admit(demand, null);
        return hold(demand);
      });
    },
  };
}

function sum(held: readonly Held[]): number {
  return held.reduce((bytes, one) => bytes + one.bytes, 0);
}

/** Only the accounts of a home may learn how full it is. */
function exceeded(isTheirs: boolean, quota: number, used: number, needed: number): ApiError {
  if (!isTheirs) return new ApiError('quota_exceeded', t('api.access.homeFull'));
  return new ApiError('quota_exceeded', t('api.access.quotaExceeded', { megabytes: quota / MEGABYTE }), {
    details: { quota, used, needed },
  });
}
