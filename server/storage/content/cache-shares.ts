import type { Owner } from '../../lib/concurrency/turn-queue.ts';

/** A part of a cache. */
export interface CacheShare {
  /** Equal names share a part. */
  readonly name: string;
  /** Of the whole: 0 to 1. */
  readonly part: number;
}

/** What was written into one share since the start. */
interface Written {
  /** Bytes by name, the oldest first. */
  readonly files: Map<string, number>;
  bytes: number;
}

/** Most names that are remembered per share. */
const MAX_NAMES = 50_000;

/** Which part of a cache belongs to whom, so that nobody fills all of it. */
interface CacheShares {
  /** Records what was written. @returns the names of the oldest files that exceed the share */
  add(owner: Owner, name: string, size: number): string[];
  clear(): void;
}

/** @param limit of the whole cache in bytes */
export function createCacheShares(limit: () => number, shareOf: (owner: Owner) => CacheShare): CacheShares {
  const shares = new Map<string, Written>();
  return {
    add(owner, name, size) {
      const share = shareOf(owner);
      const own = shares.get(share.name) ?? { files: new Map<string, number>(), bytes: 0 };
      shares.set(share.name, own);
      own.bytes += size - (own.files.get(name) ?? 0);
      own.files.delete(name);
      own.files.set(name, size);
      const exceeding: string[] = [];
      for (const [oldest, bytes] of own.files) {
        const isTooMuch = own.bytes > limit() * share.part;
        if (oldest === name || !(isTooMuch || own.files.size > MAX_NAMES)) break;
        own.files.delete(oldest);
        own.bytes -= bytes;
        if (isTooMuch) exceeding.push(oldest);
      }
      return exceeding;
    },
    clear: () => shares.clear(),
  };
}
