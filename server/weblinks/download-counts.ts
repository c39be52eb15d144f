import type { FilesDatabase } from '../database/database.ts';
import type { CountedContent, DownloadCounter, Outgoing, Span } from '../files/download/download-counter.ts';
import { type Clock, HOUR, MINUTE } from '../lib/clock.ts';
import { type FailPoints, failPoint } from '../lib/process/fail-points.ts';
import { tokenHash } from '../lib/random.ts';
import { covers, joined, lengthOf, startOf } from './byte-ranges.ts';
import { createDownloadSlots } from './download-slots.ts';

/**
 * Counts the downloads of links. Each takes a slot before its first byte and is counted once nine tenths of the content have
 * been sent. One that breaks before that gives its slot back, but what was sent of it is added up with what else was sent of
 * the link without being counted: each time that makes a whole download, it is counted. So whatever ranges, browsers,
 * addresses and pauses are used, a link that is limited to N downloads sends less than N + 1 times its content.
 */
export interface DownloadCounts {
  /** @param onDone called when all of a content has gone out */
  counter(link: number, receiver: Receiver, onDone?: () => Promise<void>): DownloadCounter;
  /** Whether a download has begun and may go on. */
  isUnderWay(link: number, receiver: Receiver): boolean;
  /** Gives back what has been waiting for its next range for too long. @returns whether anything was */
  sweep(): Promise<boolean>;
  /** Gives back what was under way when the last server was killed: what it had sent is not known. */
  recover(): Promise<void>;
  /** Gives back what is under way, with what was sent of it, before the server ends. */
  close(): Promise<void>;
}

/** Who gets a download, for ranges that belong together. */
export interface Receiver {
  /** The browser by its cookie and, without one, by address and what it says of itself; with what is downloaded. */
  readonly who: string;
  /** Whether it is known by a cookie. Without one every request that is a download by itself counts anew. */
  readonly hasCookie: boolean;
}

/** The part of a content that makes a download. */
export const COUNTED_PART = 0.9;
/** What may be sent again after a download broke: bytes that were on their way. They count as fractions. */
const SENT_AGAIN = 0.1;
/** After that nobody goes on with a download in ranges, and its slot is free again. */
const IDLE_FOR = 10 * MINUTE;
/** So long a download may go on that was counted, or broke. */
const RETAINED_FOR = HOUR;
const MOST_KEPT = 10_000;
/** Ranges of one download that do not touch. */
const MOST_SENT = 500;

/** One download, in one request or in several. */
interface Download {
  readonly link: number;
  readonly etag: string;
  readonly size: number;
  /** The slot that it holds; null while it holds none. */
  slot: Promise<number> | null;
  isCounted: boolean;
  isDone: boolean;
  hasBroken: boolean;
  /** Bytes that were sent, each time they were. */
  bytes: number;
  /** What of them was added to the fractions of the link when the slot was given back. */
  asFraction: number;
  /** Which bytes they were. */
  sent: readonly Span[];
  /** Bytes that replies under way will still send. */
  underWay: number;
  replies: number;
  lastAt: number;
}

export function createDownloadCounts(database: FilesDatabase, clock: Clock, failPoints: FailPoints): DownloadCounts {
  const slots = createDownloadSlots(database);
  /** Those that are not over, by link and receiver. */
  const open = new Map<string, Download[]>();

  function forget(key: string, download: Download): void {
    const left = (open.get(key) ?? []).filter((one) => one !== download);
    if (left.length === 0) open.delete(key);
    else open.set(key, left);
  }

  /**
   * The download that these ranges belong to: never more bytes in one than the content has. Nothing is waited for here, so that
   * of requests at once each sees what the one before has taken.
   * @returns also what is sent again beyond the content, as a part of a whole download; or what was sent in vain by a download
   * that begins anew, which takes another slot for that
   */
  function downloadFor(
    key: string,
    link: number,
    { etag, size }: CountedContent,
    spans: readonly Span[],
    { hasCookie }: Receiver,
  ): { download: Download; excess: number; inVain: number } {
    const wanted = lengthOf(spans);
    const known = (open.get(key) ?? []).filter(
      (one) => one.etag === etag && one.size === size && one.lastAt > clock.now() - RETAINED_FOR,
    );
    const isWholeByItself = !hasCookie && wanted >= COUNTED_PART * size;
    for (const one of isWholeByItself ? [] : known) {
      if (one.sent.length >= MOST_SENT) continue;
      const excess = one.bytes + one.underWay + wanted - size;
      if (excess <= 0) return { download: one, excess: 0, inVain: 0 };
      const isRest = one.hasBroken && spans.at(-1)?.end === size - 1 && wanted < COUNTED_PART * size;
      if (!isRest || excess > SENT_AGAIN * size) continue;
      return { download: one, excess: excess / size, inVain: 0 };
    }
    // Phones and players look at the beginning first, and then ask for all of it.
    const begun = known.find((one) => !one.isCounted && one.replies === 0);
    if (begun !== undefined) {
      const inVain = begun.slot === null ? 0 : begun.bytes / Math.max(1, size) - begun.asFraction;
      Object.assign(begun, { bytes: 0, asFraction: 0, sent: [], hasBroken: false });
      return { download: begun, excess: 0, inVain };
    }
    const fresh: Download = {
      ...{ link, etag, size, slot: null, isCounted: false, isDone: false, hasBroken: false },
      ...{ bytes: 0, asFraction: 0, sent: [], underWay: 0, replies: 0, lastAt: 0 },
    };
    open.set(key, [...(open.get(key) ?? []), fresh]);
    return { download: fresh, excess: 0, inVain: 0 };
  }

  /** Gives the slot back. The download is remembered: it may go on where it broke. */
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
    const { download, excess, inVain } = downloadFor(key, link, content, spans, receiver);
    const { size } = content;
    let left = lengthOf(spans);
    let handed = 0;
    download.lastAt = clock.now();
    download.underWay += left;
    download.replies += 1;
    const isOver = () => {
      download.underWay -= left;
      download.replies -= 1;
      download.lastAt = clock.now();
      left = 0;
    };
    try {
      if (excess > 0) await slots.addFraction(link, excess);
      if (inVain > 0 && download.slot !== null) {
        const before = download.slot;
        download.slot = before.then((slot) => slots.retake(link, slot, inVain));
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
      isOver();
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
      passing(bytes) {
        download.bytes += bytes;
        download.underWay -= bytes;
        left -= bytes;
        handed += bytes;
        return download.isCounted || download.bytes < COUNTED_PART * size ? undefined : count();
      },
      async ended(isWhole) {
        isOver();
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
        const { isCounted, replies, lastAt, slot } = download;
        if (replies > 0) continue;
        const isTooMany = total > MOST_KEPT;
        if (slot !== null && !isCounted && (lastAt <= now - IDLE_FOR || isTooMany)) {
          await giveUp(download);
          hasGivenBack = true;
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
  // A hash: part of it is whatever somebody sent.
  return `${link} ${hasCookie ? 'browser' : 'address'} ${tokenHash(who).toString('base64')}`;
}
