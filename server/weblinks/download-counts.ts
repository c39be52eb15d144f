import type { Database } from '../database/database.ts';
import type { CountedContent, DownloadCounter, Outgoing, Span } from '../files/download-counter.ts';
import { ApiError } from '../http/errors.ts';
import { type Clock, HOUR, MINUTE } from '../lib/clock.ts';
import { type FailPoints, failPoint } from '../lib/fail-points.ts';
import { tokenHash } from '../lib/random.ts';
import { covers, joined, overlap } from './spans.ts';

/**
 * Counts the downloads of links, exactly: one is taken before its first byte goes out, and given back when it breaks before
 * the last byte of the content. Whoever has got that has the rest, or can have it, by whatever pieces and from wherever they
 * came: it stays counted. Several requests for ranges are one download until its end goes out, and after that for what is
 * missing still. What is under way stands in the database: a server that breaks gives it back when it starts again.
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
  /** Gives back what has been waiting for its next range for too long. @returns whether anything was */
  sweep(): Promise<boolean>;
  /** Gives back what was under way when the last server ended. */
  recover(): Promise<void>;
}

/** After that nobody goes on with a download in ranges, and what was taken for it is free again. */
const IDLE_FOR = 10 * MINUTE;
/** So long the rest of a download may come after its end. */
const KEPT_FOR = HOUR;
const MOST_KEPT = 10_000;
/** Ranges of one download that do not touch. */
const MOST_SENT = 500;

/** One download, in one request or in several. */
interface Download {
  readonly link: number;
  readonly etag: string;
  readonly size: number;
  /** What it is counted as; null while it is not. */
  taken: Promise<number> | null;
  /** The last byte of the content has gone out, or is about to: it stays counted. */
  settled: boolean;
  /** Ranges that were sent whole, those that touch as one. */
  sent: readonly Span[];
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

  async function giveBack({ link }: Download, id: number, wasSettled: boolean): Promise<void> {
    await database.write(async (tx) => {
      const { changes } = await tx.run('DELETE FROM weblink_downloads WHERE id = ?', [id]);
      if (changes === 0 && !wasSettled) return;
      await tx.run('UPDATE weblinks SET downloads = max(downloads - 1, 0) WHERE number = ?', [link]);
    });
  }

  /** What was settled is under way again. @returns what it is counted as from now on; 0 where the link has gone */
  async function unsettle({ link }: Download): Promise<number> {
    return database.write(async (tx) => {
      const sql = 'INSERT INTO weblink_downloads (link) SELECT number FROM weblinks WHERE number = ?';
      const { changes, lastId } = await tx.run(sql, [link]);
      return changes > 0 ? lastId : 0;
    });
  }

  function forget(key: string, download: Download): void {
    const left = (open.get(key) ?? []).filter((one) => one !== download);
    if (left.length === 0) open.delete(key);
    else open.set(key, left);
  }

  /**
   * The download that these ranges belong to. Players and phones look at the beginning first and then ask for all of it, so
   * that what was sent may be sent again until the end has gone out; the end itself goes out once.
   */
  function downloadFor(key: string, link: number, { etag, size }: CountedContent, spans: Span[]): Download {
    const known = (open.get(key) ?? []).find(
      (one) =>
        one.etag === etag &&
        one.size === size &&
        one.sent.length < MOST_SENT &&
        !overlap(one.settled ? spans : endOf(spans, size), [...one.sent, ...one.underWay.flat()]) &&
        one.lastAt > clock.now() - KEPT_FOR,
    );
    if (known !== undefined) return known;
    const fresh = { link, etag, size, taken: null, settled: false, sent: [], underWay: [], lastAt: 0 };
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
    try {
      await taken;
    } catch (error) {
      isOver();
      if (download.taken === taken) download.taken = null;
      if (download.underWay.length === 0) forget(key, download);
      throw error;
    }
    let settledHere = false;
    failPoint(failPoints, 'weblinks.taken');
    return {
      async beforeLast() {
        if (download.settled) return;
        download.settled = true;
        settledHere = true;
        if (download.taken !== null) await settle(await download.taken);
        failPoint(failPoints, 'weblinks.settled');
      },
      async ended(isWhole) {
        isOver();
        if (isWhole) {
          download.sent = joined([...download.sent, ...spans]);
          if (covers(content.size, download.sent)) forget(key, download);
          if (settledHere) await onDone();
          return;
        }
        if (settledHere && spans.length > 1) {
          // What broke may have been another range: the end may have come, and comes no second time.
          download.sent = joined([...download.sent, ...spans.filter(({ end }) => end === content.size - 1)]);
          return;
        }
        if (download.settled && !settledHere) return;
        download.settled = false;
        if (download.underWay.length === 0 && download.sent.length === 0) await giveUp(key, download, settledHere);
        else if (settledHere) {
          download.taken = unsettle(download);
          await download.taken;
        }
      },
    };
  }

  async function giveUp(key: string, download: Download, wasSettled: boolean): Promise<void> {
    const { taken } = download;
    download.taken = null;
    forget(key, download);
    if (taken !== null) await giveBack(download, await taken, wasSettled);
  }

  async function sweep(): Promise<boolean> {
    const now = clock.now();
    let total = [...open.values()].reduce((sum, { length }) => sum + length, 0);
    let hasGivenBack = false;
    for (const [key, downloads] of open) {
      for (const download of downloads) {
        const { settled, underWay, lastAt, taken } = download;
        const isOld = lastAt <= now - (settled ? KEPT_FOR : IDLE_FOR);
        if (underWay.length > 0 || !(isOld || total > MOST_KEPT)) continue;
        total -= 1;
        if (settled) forget(key, download);
        else await giveUp(key, download, false);
        hasGivenBack ||= !settled && taken !== null;
      }
    }
    return hasGivenBack;
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

/** The last byte of a content, as far as it is among them. */
function endOf(spans: readonly Span[], size: number): Span[] {
  const last = size - 1;
  return spans.some(({ start, end }) => start <= last && last <= end) ? [{ start: last, end: last }] : [];
}

function keyOf(link: number, who: string): string {
  // A hash: a ticket is whatever somebody sent.
  return `${link} ${tokenHash(who).toString('base64')}`;
}
