import type { LockRecord } from '../files/locks/lock-record.ts';
import { escapeXml } from './xml/xml-tree.ts';

/**
 * The content of a `lockdiscovery` element (RFC 4918 §14.1). Locks of the API have no token.
 * @param hrefOf the address of a lock's root; null for one that the caller does not reach
 * @param now milliseconds since the epoch
 */
export function activeLocks(
  locks: readonly LockRecord[],
  hrefOf: (lock: LockRecord) => string | null,
  now: number,
): string {
  return locks
    .map((lock) => {
      const href = hrefOf(lock);
      const seconds = lock.expiresAt === null ? null : Math.max(0, Math.ceil((lock.expiresAt - now) / 1000));
      return [
        '<d:activelock><d:locktype><d:write/></d:locktype>',
        `<d:lockscope><d:${lock.isShared ? 'shared' : 'exclusive'}/></d:lockscope>`,
        `<d:depth>${lock.isDeep ? 'infinity' : '0'}</d:depth>`,
        lock.owner === '' ? '' : `<d:owner>${lock.owner}</d:owner>`,
        `<d:timeout>${seconds === null ? 'Infinite' : `Second-${seconds}`}</d:timeout>`,
        lock.token === null ? '' : `<d:locktoken><d:href>${escapeXml(lock.token)}</d:href></d:locktoken>`,
        href === null ? '' : `<d:lockroot><d:href>${escapeXml(href)}</d:href></d:lockroot>`,
        '</d:activelock>',
      ].join('');
    })
    .join('');
}
