import { randomFillSync } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, statfs } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import { settled } from '../../lib/async/settled.ts';
import { MINUTE } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { StorageError } from '../errors.ts';
import { flushFolder } from '../flush.ts';

/** Bytes: far more than sign-ins, deletions and a start write before space was freed. */
const RESERVE = 4 * 1024 * 1024;
/** It is released at a start with fewer bytes free, and filled again only when as many are free in addition. */
const LOW = 1024 * 1024;
const ENOUGH = RESERVE;
const CHUNK = 256 * 1024;
/** Milliseconds after a release in which failed work is tried again, and between two tries. */
const SETTLED = 2_000;
const AGAIN = 100;

/**
 * Space on the database's disk that is reserved for Larder's own records: a file with allocated blocks, emptied when the disk is
 * full, and filled again when there is space. Meanwhile no uploads are accepted, because they would use up what deletions need.
 */
export interface Reserve {
  /** Called before anything is written at a start. */
  prepare(): Promise<void>;
  /** Frees the space. @returns whether there was any: then what failed may work now */
  release(): Promise<boolean>;
  /** Runs work that frees space, and again if the disk was too full for it. */
  forDeletion<T>(work: () => Promise<T>): Promise<T>;
  /** @throws StorageError `full` while the reserve is in use */
  requireRoom(): Promise<void>;
  /** Fills it now, and again whenever it was released and there is space. */
  start(): void;
  close(): Promise<void>;
}

/** @param path of its file */
export function createReserve(path: string, folder: string, log: Log): Reserve {
  let isReleased = false;
  let releasedAt = Number.NEGATIVE_INFINITY;
  let changing: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** One change at a time. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = changing.then(work);
    changing = settled(result);
    return result;
  }

  const free = async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  const size = () =>
    lstat(path).then(
      (stats) => (stats.isFile() ? stats.size : 0),
      () => 0,
    );

  /** @throws Error when something else has its name: a link would lead elsewhere, and a pipe would block */
  async function openOwn(flags: number): Promise<FileHandle> {
    const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const file = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new Error(`${path} is not a file`);
  }

  async function empty(): Promise<boolean> {
    if ((await size()) === 0) return false;
    const file = await openOwn(constants.O_RDWR);
    try {
      await file.truncate(0);
      // Only after a flush does every file system release the blocks.
      await file.sync();
    } finally {
      await file.close();
    }
    isReleased = true;
    log.warn('the disk is full: the reserve was released, and uploads are refused until there is room');
    return true;
  }

  async function fill(): Promise<void> {
    if ((await size()) >= RESERVE) return;
    if ((await free()) < RESERVE + ENOUGH) return;
    const file = await openOwn(constants.O_WRONLY | constants.O_CREAT);
    try {
      // Some file systems store no blocks for zeros.
      const chunk = randomFillSync(Buffer.alloc(CHUNK));
      for (let at = 0; at < RESERVE; at += CHUNK) await file.write(chunk, 0, CHUNK, at);
      await file.sync();
      if (isReleased) log.info('there is room on the disk again: the reserve was filled');
      isReleased = false;
    } catch (error) {
      await ignoreFailure(file.truncate(0), 'failed to empty the reserve');
      throw error;
    } finally {
      await file.close();
    }
    await flushFolder(folder);
  }

  const fillQuietly = () =>
    alone(fill).catch((error) => log.warn({ err: error }, 'failed to fill the reserve on the disk'));

  /** A file system may release the blocks a moment after they were freed. */
  async function emptyOrWait(): Promise<boolean> {
    if (await empty()) {
      releasedAt = performance.now();
      return true;
    }
    if (performance.now() - releasedAt > SETTLED) return false;
    await wait(AGAIN);
    return true;
  }

  const release = () =>
    alone(emptyOrWait).catch((error) => {
      log.warn({ err: error }, 'failed to release the reserve on the disk');
      return false;
    });

  return {
    async prepare() {
      const left = await free().catch(() => Number.POSITIVE_INFINITY);
      if (left >= LOW) return;
      await release();
      // It was released before and could not be filled since.
      isReleased = true;
    },
    release,
    async forDeletion(work) {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof StorageError) || error.reason !== 'full' || !(await release())) throw error;
        }
      }
    },
    async requireRoom() {
      if (!isReleased) return;
      await fillQuietly();
      if (isReleased) throw new StorageError('full');
    },
    start() {
      void fillQuietly();
      timer = setInterval(() => void fillQuietly(), MINUTE).unref();
    },
    async close() {
      clearInterval(timer);
      await changing;
    },
  };
}
