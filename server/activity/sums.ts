import { addressGroup } from '../http/connection/client-address.ts';
import { type Clock, HOUR } from '../lib/clock.ts';
import type { ActivityRow } from './recipes.ts';

/** How long rows are counted after the first one of the same account and address. */
const WINDOW = HOUR;
/** Pairs of account and address in memory. Beyond them, the addresses of an account are counted together. */
const MAX_PAIRS = 1_000;

/**
 * Counts rows that anybody can cause at will, so that they cost no write each: the first one of an account and an address (IPv6
 * by /64) is written at once, those of the next hour are counted in memory. Their number is written later, with other rows.
 */
interface Sums {
  /** @returns the row to write now; null for one that was counted */
  add(row: ActivityRow): ActivityRow | null;
  /**
   * Takes what was counted, as one row for each account and address, with the number as `attempts`.
   * @param of those whose hour is over, or all
   */
  take(of: 'over' | 'all'): ActivityRow[];
}

interface Counted {
  readonly since: number;
  /** The latest one. */
  row: ActivityRow;
  count: number;
}

export function createSums(clock: Clock): Sums {
  const counted = new Map<string, Counted>();
  // After a clock was set back, counting begins again.
  const isOver = ({ since }: Counted) => Math.abs(clock.now() - since) >= WINDOW;

  /** The key of a row, and the row as it is shown under that key. */
  function placeOf(row: ActivityRow): { readonly key: string; readonly row: ActivityRow } {
    const { actor, kind } = row;
    const account = `${kind} ${actor.account?.id ?? ''}`;
    const key = `${account} ${addressGroup(actor.address)}`;
    const isFull = counted.size >= MAX_PAIRS && !counted.has(key);
    return isFull ? { key: account, row: { ...row, actor: { ...actor, address: null } } } : { key, row };
  }

  return {
    add(given) {
      const { key, row } = placeOf(given);
      const known = counted.get(key);
      if (known === undefined) {
        counted.set(key, { since: clock.now(), row, count: 0 });
        return row;
      }
      known.row = row;
      known.count += 1;
      return null;
    },

    take(of) {
      const rows: ActivityRow[] = [];
      for (const [key, one] of counted) {
        const ended = isOver(one);
        if (one.count > 0 && (ended || of === 'all')) {
          rows.push({ ...one.row, details: { ...one.row.details, attempts: one.count } });
          one.count = 0;
        }
        if (ended) counted.delete(key);
      }
      return rows;
    },
  };
}
