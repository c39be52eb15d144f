import type { Database } from '../database/database.ts';
import type { CountedContent, DownloadCounter, Outgoing, Span } from '../files/download-counter.ts';
import { ApiError } from '../http/errors.ts';
import { type Clock, HOUR, MINUTE } from '../lib/clock.ts';
import { type FailPoints, failPoint } from '../lib/fail-points.ts';
import { covers, overlap } from './spans.ts';

/**
 * Counts the downloads of links, exactly: one is taken before its first byte goes out, and given back when it breaks before
 * its last. Several requests for ranges are one download as long as none asks for what another one has got. What is under way
 * stands in the database: a server that breaks gives it back when it starts again.
 */
export interface DownloadCounts {
  /**
   * @param link its number
   * @param onDone called when all of a download has gone out
   * @param who says which requests may belong together: a ticket, or an address with what the browser says of itself
   */
  counter(link: number, who: string, onDone?: () => Promise<void>): DownloadCounter;
  /** Whether a download has begun and may go on. */
  isUnderWay(link: number, who: string): boolean;
  /** Gives back what has been waiting for its next range for too long. */
  sweep(): Promise<void>;
  /** Gives back what was under way when the last server ended. */
  recover(): Promise<void>;
}

/** After that nobody goes on with a download in ranges, and what was taken for it is free again. */
const IDLE_FOR = 10 * MINUTE;
/** What came of a download that broke counts for whoever goes on with it. */
const KEPT_FOR = HOUR;
const MOST_KEPT = 10_000;

/** One download, in one request or in several. */
interface Download {
  readonly link: number;
  readonly etag: string;
  readonly size: number;
  /** What it is counted as; null while it is not. Once settled, it stays counted. */
  taken: Promise<number> | null;
  settled: boolean;
  /** Ranges that were sent whole. */
  sent: Span[];
  /** Ranges of requests that broke: nobody knows how much of them came. */
  broken: Span[];
  underWay: Span[][];
  lastAt: number;
}

export function createDownloadCounts(database: Database, clock: Clock, failPoints: FailPoints): DownloadCounts {
  /** Those that are not over, by link and who. */
  const open = new Map<string, Download[]>();

  /** @returns what the download is counted as @throws ApiError `link_used_up`; `not_found` for a link that has gone */
  async function take(link: number): Promise<number> {
    return database.write(async (tx) => {
      const { changes } = await tx.run(
        'UPDATE weblinks SET downloads = downloads + 1 WHERE number = ? AND (download_limit = 0 OR downloads < download_limit)',
        [link],
      );
      if (changes > 0) return (await tx.run('INSERT INTO weblink_downloads (link) VALUES (?)', [link])).lastId;
      const there = await tx.get('SELECT 1 FROM weblinks WHERE number = ?', [link]);
      throw there === undefined
        ? new ApiError('not_found', 'This link opens nothing.')
        : new ApiError('link_used_up', 'This link has ended.');
    });
  }

  async function settle(id: number): Promise<void> {
    await database.write((tx) => tx.run('DELETE FROM weblink_downloads WHERE id = ?', [id]));
  }

  async function giveBack(link: number, id: number, wasSettled: boolean): Promise<void> {
    await database.write(async (tx) => {
      const { changes } = await tx.run('DELETE FROM weblink_downloads WHERE id = ?', [id]);
      if (changes === 0 && !wasSettled) return;
      await tx.run('UPDATE weblinks SET downloads = max(downloads - 1, 0) WHERE number = ?', [link]);
    });
  }

  function forget(key: string, download: Download): void {
    const left = (open.get(key) ?? []).filter((one) => one !== download);
    if (left.length === 0) open.delete(key);
    else open.set(key, left);
  }

  /** The download that these ranges belong to: none of them is on its way already, or has been sent whole. */
  function downloadFor(key: string, link: number, { etag, size }: CountedContent, spans: Span[]): Download {
    const known = (open.get(key) ?? []).find(
      (one) =>
        !one.settled &&
        one.etag === etag &&
        one.size === size &&
        !overlap(spans, [...one.sent, ...one.underWay.flat()]) &&
        one.lastAt > clock.now() - KEPT_FOR,
    );
    if (known !== undefined) return known;
    const fresh = { link, etag, size, taken: null, settled: false, sent: [], broken: [], underWay: [], lastAt: 0 };
    open.set(key, [...(open.get(key) ?? []), fresh]);
    return fresh;
  }

  async function begin(
    key: string,
    link: number,
    content: CountedContent,
    spans: Span[],
    onDone: () => Promise<void>,
  ): Promise<Outgoing> {
    await sweep();
    const download = downloadFor(key, link, content, spans);
    download.lastAt = clock.now();
    download.underWay.push(spans);
    const isOver = () => {
      download.underWay = download.underWay.filter((one) => one !== spans);
      download.lastAt = clock.now();
    };
    download.taken ??= take(link);
    const { taken } = download;
    let id: number;
    try {
      id = await taken;
    } catch (error) {
      isOver();
      if (download.taken === taken) download.taken = null;
      if (download.underWay.length === 0) forget(key, download);
      throw error;
    }
    let settledHere = false;
    const settleIf = async (own: readonly Span[]) => {
      if (download.settled || !covers(content.size, [...download.sent, ...download.broken, ...own])) return;
      download.settled = true;
      settledHere = true;
      forget(key, download);
      await settle(id);
    };
    failPoint(failPoints, 'weblinks.taken');
    return {
      async beforeLast() {
        await settleIf(spans);
        failPoint(failPoints, 'weblinks.settled');
      },
      async ended(isWhole) {
        isOver();
        if (isWhole) {
          download.sent.push(...spans);
          await settleIf([]);
          if (settledHere) await onDone();
          return;
        }
        download.broken.push(...spans);
        if (download.settled && !settledHere) return;
        if (!settledHere && (download.underWay.length > 0 || download.sent.length > 0)) return;
        download.taken = null;
        download.settled = false;
        if (settledHere) open.set(key, [...(open.get(key) ?? []), download]);
        await giveBack(link, id, settledHere);
      },
    };
  }

  async function sweep(): Promise<void> {
    const now = clock.now();
    const total = [...open.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [key, downloads] of open) {
      for (const download of downloads) {
        const isIdle = download.underWay.length === 0 && download.lastAt <= now - IDLE_FOR;
        if (isIdle && download.taken !== null) {
          const { taken } = download;
          download.taken = null;
          await giveBack(download.link, await taken, false);
        }
        if (isIdle && (download.lastAt <= now - KEPT_FOR || total > MOST_KEPT)) forget(key, download);
      }
    }
  }

  return {
    counter: (link, who, onDone = async () => undefined) => ({
      begin: (content, spans) => begin(keyOf(link, who), link, content, [...spans], onDone),
    }),
    isUnderWay: (link, who) => (open.get(keyOf(link, who)) ?? []).some(({ taken }) => taken !== null),
    sweep,
    async recover() {
      await database.write(async (tx) => {
        await tx.run(
          `UPDATE weblinks SET downloads = max(downloads - (SELECT count(*) FROM weblink_downloads WHERE link = number), 0)
           WHERE number IN (SELECT link FROM weblink_downloads)`,
        );
        await tx.run('DELETE FROM weblink_downloads');
      });
    },
  };
}

function keyOf(link: number, who: string): string {
  return `${link}\n${who}`;
}
