import type { ItemTarget } from '../../access/access.ts';
import { type Caller, responsibleId } from '../../access/caller.ts';
import type { FilesDatabase, Transaction } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { normalized } from '../../lib/names/normalized.ts';

/** A lock that has not expired, and where its item is. */
export interface LockRecord {
  readonly id: number;
  readonly itemId: number;
  readonly accountId: number;
  /** Below the root of the home, joined with slashes; empty for the root itself. */
  readonly path: string;
  /** Of a WebDAV lock; null for one of the API. */
  readonly token: string | null;
  /** The credential that has a WebDAV lock; null for a session of the pages. */
  readonly credential: string | null;
  /** What the client stated about its owner: XML that needs no context. */
  readonly owner: string;
  readonly isShared: boolean;
  /** Whether everything below the folder is locked with it. */
  readonly isDeep: boolean;
  /** Milliseconds since the epoch; null for a lock that does not expire. */
  readonly expiresAt: number | null;
}

interface LockRow {
  id: number;
  item_id: number;
  account_id: number;
  path: string;
  token: string | null;
  credential: string | null;
  owner: string;
  is_shared: number;
  is_deep: number;
  expires_at: number | null;
}

/** Whether a row of `locks` still locks at the time `?2`: it ends with its time, and with its credential. */
export const HOLDS = `(expires_at IS NULL OR expires_at > ?2) AND CASE
  WHEN credential GLOB 'app-password:*' THEN EXISTS (
    SELECT 1 FROM app_passwords p WHERE p.id = CAST(substr(credential, 14) AS INTEGER) AND p.account_id = locks.account_id
      AND (p.expires_at IS NULL OR p.expires_at > ?2))
  WHEN credential GLOB 'authorization:*' THEN EXISTS (
    SELECT 1 FROM authorizations a WHERE a.id = CAST(substr(credential, 15) AS INTEGER) AND a.account_id = locks.account_id)
  ELSE TRUE END`;

export async function deleteExpiredLocks(tx: Transaction, now: number): Promise<void> {
  await tx.run('DELETE FROM locks WHERE expires_at <= ?', [now]);
}

/** What reads and deletes the rows of locks. */
export interface LockRowsContext {
  readonly database: FilesDatabase;
  readonly clock: Clock;
}

/** The locks of a home, oldest first. Missing items, which have a name that no disk has, hold no locks. */
export async function locksIn({ database, clock }: LockRowsContext, homeId: string): Promise<LockRecord[]> {
  const rows = await database.all<LockRow>(
    `WITH RECURSIVE up (id, parent_id, path) AS (
       SELECT locks.id, parent_id, iif(parent_id IS NULL, '', name) FROM locks CROSS JOIN items ON items.id = item_id
         WHERE home_id = ?1 AND ${HOLDS} AND instr(name, '/') = 0
       UNION ALL
       SELECT up.id, items.parent_id, iif(items.parent_id IS NULL, path, items.name || '/' || path)
         FROM up CROSS JOIN items ON items.id = up.parent_id WHERE instr(items.name, '/') = 0
     ) SELECT locks.*, up.path FROM up CROSS JOIN locks ON locks.id = up.id WHERE up.parent_id IS NULL ORDER BY locks.id`,
    [homeId, clock.now()],
  );
  return rows.map((row) => ({
    id: row.id,
    itemId: row.item_id,
    accountId: row.account_id,
    path: row.path,
    token: row.token,
    credential: row.credential,
    owner: row.owner,
    isShared: row.is_shared === 1,
    isDeep: row.is_deep === 1,
    expiresAt: row.expires_at,
  }));
}

/** One key for names that are equal in either Unicode form. Names contain no slash, so it separates them. */
function lockPathOf(segments: readonly string[]): string {
  return segments.map((name) => `${normalized(name, 'NFC')}/`).join('');
}

function keyOf({ path }: LockRecord): string {
  return path === '' ? '' : lockPathOf(path.split('/'));
}

/** How many folders and names lead to what is locked: none for a home. */
export function depthOf({ path }: LockRecord): number {
  return path === '' ? 0 : path.split('/').length;
}

/** Whether a lock protects the item at a path: it is on the item, or on a folder above it with everything below. */
export function covers(lock: LockRecord, { segments }: Pick<ItemTarget, 'segments'>): boolean {
  const [key, own] = [keyOf(lock), lockPathOf(segments)];
  return key === own || (lock.isDeep && own.startsWith(key));
}

/** The same for many items: finds the locks that protect one, oldest first, without a look at each lock. */
export function lockFinder(locks: readonly LockRecord[]): (target: Pick<ItemTarget, 'segments'>) => LockRecord[] {
  const byKey = new Map<string, LockRecord[]>();
  for (const lock of locks) byKey.set(keyOf(lock), [...(byKey.get(keyOf(lock)) ?? []), lock]);
  return ({ segments }) => {
    if (byKey.size === 0) return [];
    const found: LockRecord[] = [];
    for (let depth = 0; depth <= segments.length; depth += 1) {
      const there = byKey.get(lockPathOf(segments.slice(0, depth))) ?? [];
      found.push(...there.filter(({ isDeep }) => isDeep || depth === segments.length));
    }
    return found.sort((a, b) => a.id - b.id);
  };
}

/** Whether a lock is on something below a path. */
export function isBelow(lock: LockRecord, { segments }: Pick<ItemTarget, 'segments'>): boolean {
  const [key, own] = [keyOf(lock), lockPathOf(segments)];
  return key !== own && key.startsWith(own);
}

/** Whether a lock is on the folder of a path: no entry of the folder may be added or removed (RFC 4918 §7.4). */
export function isOnFolderOf(lock: LockRecord, { segments }: Pick<ItemTarget, 'segments'>): boolean {
  return segments.length > 0 && keyOf(lock) === lockPathOf(segments.slice(0, -1));
}

/**
 * All three for many items: finds the locks, oldest first, that protect an item, something below it, or the entries of its folder.
 */
export function entryLockFinder(locks: readonly LockRecord[]): (target: Pick<ItemTarget, 'segments'>) => LockRecord[] {
  const keyed = locks.map((lock) => ({ lock, key: keyOf(lock) }));
  return ({ segments }) => {
    const [own, folder] = [lockPathOf(segments), lockPathOf(segments.slice(0, -1))];
    return keyed.flatMap(({ lock, key }) => {
      const isAbove = own.startsWith(key) && (lock.isDeep || key === folder);
      return key.startsWith(own) || isAbove ? [lock] : [];
    });
  };
}

/** The locks that keep a caller from something: not its own, nor those that it shares, each of whose holders may write (RFC 4918 §6.2). */
export function foreignLocks(caller: Caller, locks: readonly LockRecord[]): LockRecord[] {
  const held = locks.filter((lock) => holds(caller, lock));
  return locks.filter((lock) => {
    if (held.includes(lock)) return false;
    const segments = lock.path === '' ? [] : lock.path.split('/');
    return !(lock.isShared && held.some((own) => own.isShared && covers(own, { segments })));
  });
}

/**
 * Whether a caller may do what a lock protects. A lock of the API allows everything to its account. One of WebDAV belongs to an
 * account and a credential, and over WebDAV its token has to be submitted too (RFC 4918 §6.5).
 */
export function holds(caller: Caller, lock: LockRecord): boolean {
  if (lock.accountId !== responsibleId(caller)) return false;
  if (lock.token === null) return true;
  if (caller.account === undefined || (caller.credential?.id ?? null) !== lock.credential) return false;
  return caller.lockTokens === undefined || caller.lockTokens.has(lock.token);
}
