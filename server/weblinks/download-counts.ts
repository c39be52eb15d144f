import type { FilesDatabase } from '../database/database.ts';
import type { CountedContent, DownloadCounter, Outgoing, Span } from '../files/download/download-counter.ts';
import { type Clock, HOUR, MINUTE } from '../lib/clock.ts';
import { type FailPoints, failPoint } from '../lib/process/fail-points.ts';
import { tokenHash } from '../lib/random.ts';
import { covers, joined, lengthOf, startOf } from './byte-ranges.ts';
import { createDownloadSlots } from './download-slots.ts';

/**
 * Counts the downloads of links. Each takes a slot before its first byte and is counted once nine tenths of the content have been
 * sent. An earlier abort gives its slot back, but the bytes sent are added to the other uncounted bytes of the link: whenever
 * they make a whole download, it is counted. So with any mix of ranges, browsers, addresses and pauses, a link limited to N
 * downloads sends less than N + 1 times its content.
 */
export interface DownloadCounts {
  /** @param onDone called when all of a content has been sent */
  counter(link: number, receiver: Receiver, onDone?: () => Promise<void>): DownloadCounter;
  /** Whether a download has begun and may continue. */
  isUnderWay(link: number, receiver: Receiver): boolean;
  /** Gives back slots whose next range has not been requested for too long. @returns whether there were any */
  sweep(): Promise<boolean>;
  /** Gives back the slots that were taken when the last server was killed: what it had sent is unknown. */
  recover(): Promise<void>;
  /** Gives back the taken slots, with what was sent, before the server stops. */
  close(): Promise<void>;
}

/** The recipient of a download, to recognize ranges that belong together. */
export interface Receiver {
  /** The browser, by its cookie or else by address and user agent, together with the downloaded item. */
  readonly who: string;
  /** Whether it is known by a cookie. Without one, every request that is a download by itself counts separately. */
  readonly hasCookie: boolean;
}

/** The fraction of a content that counts as a download. */
const COUNTED_PART = 0.9;
/** The fraction that may be sent again after an abort, for bytes that were in transit. More counts as uncounted bytes. */
const SENT_AGAIN = 0.1;
/** Milliseconds without a further range after which the slot is given back. */
const IDLE_FOR = 10 * MINUTE;
/** Milliseconds that a counted or aborted download may continue. */
const RETAINED_FOR = HOUR;
const MAX_KEPT = 10_000;
/** Most separate ranges of one download. */
const MAX_SENT = 500;

/** One download, in one request or in several. */
interface Download {
  readonly link: number;
  readonly etag: string;
  readonly size: number;
  /** The slot that it holds, or null. */
  slot: Promise<number> | null;
  isCounted: boolean;
  isDone: boolean;
  hasBroken: boolean;
  /** Bytes sent, repetitions included. */
  bytes: number;
  /** The part of them that was added to the link's fractions when the slot was given back. */
  asFraction: number;
  /** Which bytes were sent. */
  sent: readonly Span[];
  /** Bytes that replies in progress will still send. */
  underWay: number;
  replies: number;
  lastAt: number;
}

export function createDownloadCounts(database: FilesDatabase, clock: Clock, failPoints: FailPoints): DownloadCounts {
  const slots = createDownloadSlots(database);
  /** Unfinished ones, by link and receiver. */
  const open = new Map<string, Download[]>();

  function forget(key: string, download: Download): void {
    const left = (open.get(key) ?? []).filter((one) => one !== download);
    if (left.length === 0) open.delete(key);
    else open.set(key, left);
  }

  /**
   * The download that these ranges belong to: never more bytes in one than the content has. Synchronous, so that each of several
   * concurrent requests sees what the others have taken.
   * @returns also what is sent again beyond the content, as a fraction of a whole download; or what an aborted download has sent
   * when it begins again, and takes another slot for it
   */
  function downloadFor(
    key: string,
    link: number,
    { etag, size }: CountedContent,
    spans: readonly Span[],
    { hasCookie }: Receiver,
  ): { download: Download; excess: number; resent: number } {
    const wanted = lengthOf(spans);
    const known = (open.get(key) ?? []).filter(
      (one) => one.etag === etag && one.size === size && one.lastAt > clock.now() - RETAINED_FOR,
    );
    const isWholeByItself = !hasCookie && wanted >= COUNTED_PART * size;
    for (const one of isWholeByItself ? [] : known) {
      if (one.sent.length >= MAX_SENT) continue;
      const excess = one.bytes + one.underWay + wanted - size;
      if (excess <= 0) return { download: one, excess: 0, resent: 0 };
      const isRest = one.hasBroken && spans.at(-1)?.end === size - 1 && wanted < COUNTED_PART * size;
      if (!isRest || excess > SENT_AGAIN * size) continue;
      return { download: one, excess: excess / size, resent: 0 };
    }
    // Phones and players request the beginning first, and then everything.
    const begun = known.find((one) => !one.isCounted && one.replies === 0);
    if (begun !== undefined) {
      const resent = begun.slot === null ? 0 : begun.bytes / Math.max(1, size) - begun.asFraction;
      Object.assign(begun, { bytes: 0, asFraction: 0, sent: [], hasBroken: false });
      return { download: begun, excess: 0, resent };
    }
    const fresh: Download = {
      ...{ link, etag, size, slot: null, isCounted: false, isDone: false, hasBroken: false },
      ...{ bytes: 0, asFraction: 0, sent: [], underWay: 0, replies: 0, lastAt: 0 },
    };
    open.set(key, [...(open.get(key) ?? []), fresh]);
    return { download: fresh, excess: 0, resent: 0 };
  }

  /** Gives the slot back. The download is remembered, because it may continue. */
  async function giveUp(download: Download): Promise<void> {
    const { slot, link } = download;
    if (slot === null) return;
    download.slot = null;
    const fraction = download.bytes / Math.max(1, download.size) - download.asFraction;
    download.asFraction += fraction;
    await slots.giveBack(link, await slot, fraction);
  }

  async function begin(
    key: string,
    link: number,
    receiver: Receiver,
    content: CountedContent,
    spans: readonly Span[],
    onDone: () => Promise<void>,
  ): Promise<Outgoing> {
    await sweep();
    const { download, excess, resent } = downloadFor(key, link, content, spans, receiver);
    const { size } = content;
    let left = lengthOf(spans);
    let handed = 0;
    download.lastAt = clock.now();
    download.underWay += left;
    download.replies += 1;
    const endReply = () => {
      download.underWay -= left;
      download.replies -= 1;
      download.lastAt = clock.now();
      left = 0;
    };
    try {
      if (excess > 0) await slots.addFraction(link, excess);
      if (resent > 0 && download.slot !== null) {
        const before = download.slot;
        download.slot = before.then((slot) => slots.retake(link, slot, resent));
      }
      if (!download.isCounted) {
        const reclaimed = download.slot === null ? download.asFraction : 0;
        if (download.slot === null) download.asFraction = 0;
        download.slot ??= slots.take(link, reclaimed);
        const { slot } = download;
        await slot.catch((error) => {
          if (download.slot === slot) Object.assign(download, { slot: null, asFraction: reclaimed });
          throw error;
        });
      }
    } catch (error) {
      endReply();
      if (download.replies === 0 && download.bytes === 0) forget(key, download);
      throw error;
    }
    failPoint(failPoints, 'weblinks.taken');

    async function count(): Promise<void> {
      if (download.isCounted || download.slot === null) return;
      download.isCounted = true;
      try {
        failPoint(failPoints, 'weblinks.counting');
        await slots.settle(await download.slot);
      } catch (error) {
        download.isCounted = false;
        throw error;
      }
      failPoint(failPoints, 'weblinks.settled');
    }

    return {
      onBytes(bytes) {
        download.bytes += bytes;
        download.underWay -= bytes;
        left -= bytes;
        handed += bytes;
        return download.isCounted || download.bytes < COUNTED_PART * size ? undefined : count();
      },
      async ended(isWhole) {
        endReply();
        download.hasBroken ||= !isWhole;
        download.sent = joined([...download.sent, ...(isWhole ? spans : startOf(spans, handed))]);
        const hasAll = covers(size, download.sent);
        if (hasAll) await count();
        if (hasAll && isWhole && !download.isDone) {
          download.isDone = true;
          await onDone();
        }
        if (download.isCounted && download.bytes >= size && download.replies === 0) forget(key, download);
        else if (!isWhole && !download.isCounted && download.replies === 0) await giveUp(download);
      },
    };
  }

  async function sweep(): Promise<boolean> {
    const now = clock.now();
    let total = [...open.values()].reduce((sum, { length }) => sum + length, 0);
    let hasGivenBack = false;
    for (const [key, downloads] of open) {
      for (const download of downloads) {
        const { isCounted, lastAt, slot } = download;
        if (download.replies > 0) continue;
        const isTooMany = total > MAX_KEPT;
        if (slot !== null && !isCounted && (lastAt <= now - IDLE_FOR || isTooMany)) {
          await giveUp(download);
          hasGivenBack = true;
          // Another range of it may have been requested meanwhile.
          if (download.replies > 0 || download.lastAt !== lastAt) continue;
        }
        if (lastAt > now - RETAINED_FOR && !isTooMany) continue;
        total -= 1;
        forget(key, download);
      }
    }
    return hasGivenBack;
  }

  return {
    counter: (link, receiver, onDone = async () => undefined) => ({
      begin: (content, spans) => begin(keyOf(link, receiver), link, receiver, content, spans, onDone),
    }),
    isUnderWay: (link, receiver) => (open.get(keyOf(link, receiver)) ?? []).some(({ slot }) => slot !== null),
    sweep,
    recover: slots.recover,
    async close() {
      for (const download of [...open.values()].flat()) if (!download.isCounted) await giveUp(download);
    },
  };
}

function keyOf(link: number, { who, hasCookie }: Receiver): string {
  // A hash, because part of it is text sent by the client.
  return `${link} ${hasCookie ? 'browser' : 'address'} ${tokenHash(who).toString('base64')}`;
}
