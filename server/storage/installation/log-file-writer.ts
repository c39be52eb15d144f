import { closeSync, fstatSync, openSync, renameSync, statSync, write, writeSync } from 'node:fs';

/** Bytes that are written at a time, and milliseconds after which fewer are. */
const ENOUGH = 4_096;
const SOON = 200;
/** Milliseconds until a failing disk is tried again. */
const AGAIN = 1_000;
/** Bytes queued for a failing disk; further lines are dropped and counted. */
const MOST = 256 * 1024;
/** Bytes after which a file is rotated, and the number of files, including the present one. */
const MAX_BYTES = 10 * 1_024 * 1_024;
const FILES = 5;
/** Milliseconds that `flush`, at the end of a process, waits for a write in progress: on a busy machine it may not have begun. */
const TIMEOUT = 2_000;

/** Nothing notifies it: waiting for it is waiting for time. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

interface LogLimits {
  /** After which it is rotated. */
  readonly bytes: number;
  /** Including the present one. */
  readonly files: number;
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Appends lines to a log file, in batches. On a full, read-only or missing disk it drops lines, but never fails: nothing throws
 * here, and only `flush` blocks. A large file is rotated, and the oldest one is deleted.
 */
export class LogFileWriter {
  readonly #path: string;
  readonly #limits: LogLimits;
  #file: number;
  #isRegular: boolean;
  readonly #lost: (count: number) => string;
  #waiting: string[] = [];
  #bytes = 0;
  #count = 0;
  /** What must be written before the queue, partly being written by the system now. */
  #writing: Buffer | null = null;
  #underWay: Buffer | null = null;
  /** Bytes in the file, as far as known. */
  #size: number;
  #timer: NodeJS.Timeout | null = null;
  #again: NodeJS.Timeout | null = null;

  /**
   * @param path created if missing, readable only by its owner
   * @param lost the line that states how many were dropped, once it can be written
   * @param limits by default 5 files of 10 MB each: `a.log`, and the older ones `a.log.1` to `a.log.4`
   * @throws the system's error when it cannot be opened
   */
  constructor(path: string, lost: (count: number) => string, limits: LogLimits = { bytes: MAX_BYTES, files: FILES }) {
    this.#path = path;
    this.#limits = limits;
    // Opening a pipe would wait for its reader.
    if (statSync(path, { throwIfNoEntry: false })?.isFIFO()) throw new Error(`${path} is a pipe, not a file`);
    this.#file = openSync(path, 'a', 0o600);
    const stats = fstatSync(this.#file);
    this.#size = stats.size;
    this.#isRegular = stats.isFile();
    this.#lost = lost;
  }

  write(line: string): void {
    if (this.#bytes > MOST) {
      this.#count += 1;
      return;
    }
    this.#waiting.push(line);
    this.#bytes += Buffer.byteLength(line);
    if (this.#bytes >= ENOUGH) this.#send();
    else this.#sendIn(SOON);
  }

  /** Writes the queue, as far as the disk accepts it at once; the rest stays queued. */
  flush(): void {
    try {
      this.#settle();
      for (;;) {
        this.#writing ??= this.#take();
        if (this.#writing === null) return;
        const written = writeSync(this.#file, this.#writing);
        if (written === 0) throw new Error('the disk took nothing');
        this.#wrote(this.#writing, written);
      }
    } catch {
      // There is nowhere to report it.
      this.#sendAgain();
    }
  }

  /** Finds out how much the system has written of a write in progress, so that nothing is written twice. */
  #settle(): void {
    const bytes = this.#underWay;
    if (bytes === null) return;
    this.#underWay = null;
    const until = performance.now() + TIMEOUT;
    const written = () => Math.min(Math.max(fstatSync(this.#file).size - this.#size, 0), bytes.length);
    // The thread that writes needs a processor, too.
    while (written() < bytes.length && performance.now() < until) Atomics.wait(NEVER, 0, 0, 1);
    this.#wrote(bytes, written());
  }

  #wrote(bytes: Buffer, count: number): void {
    this.#size += count;
    this.#writing = count === bytes.length ? null : bytes.subarray(count);
  }

  #take(): Buffer | null {
    if (this.#waiting.length === 0) return null;
    if (this.#isRegular && this.#size > 0 && this.#size + this.#bytes > this.#limits.bytes) this.#rotate();
    if (this.#count > 0) this.#waiting.push(this.#lost(this.#count));
    const bytes = Buffer.from(this.#waiting.join(''));
    [this.#waiting, this.#bytes, this.#count] = [[], 0, 0];
    return bytes;
  }

  /** Rotates the file. Nothing is being written to it now. */
  #rotate(): void {
    try {
      for (let n = this.#limits.files - 1; n > 0; n -= 1) {
        renameIfThere(n === 1 ? this.#path : `${this.#path}.${n - 1}`, `${this.#path}.${n}`);
      }
      // With one file only, it is truncated.
      const file = openSync(this.#path, this.#limits.files === 1 ? 'w' : 'a', 0o600);
      closeSync(this.#file);
      this.#file = file;
      this.#size = fstatSync(file).size;
    } catch {
      // If the disk refuses to rename it, the present file is continued.
    }
  }

  #sendIn(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#send();
    }, milliseconds).unref();
  }

  #send(): void {
    if (this.#writing !== null) return;
    this.#writing = this.#take();
    this.#sendOn();
  }

  #sendAgain(): void {
    this.#again ??= setTimeout(() => {
      this.#again = null;
      this.#sendOn();
    }, AGAIN).unref();
  }

  #sendOn(): void {
    const bytes = this.#writing;
    if (bytes === null || this.#underWay !== null) return;
    this.#underWay = bytes;
    write(this.#file, bytes, (error, written) => {
      // `flush` has handled it meanwhile.
      if (this.#underWay !== bytes) return;
      this.#underWay = null;
      this.#wrote(bytes, error === null ? written : 0);
      if (error !== null) this.#sendAgain();
      else if (this.#writing !== null) this.#sendOn();
      else if (this.#bytes >= ENOUGH) this.#send();
      else if (this.#bytes > 0) this.#sendIn(SOON);
    });
  }
}
