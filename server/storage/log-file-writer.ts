import { closeSync, openSync, write, writeSync } from 'node:fs';

/** Bytes that are written together, and milliseconds after which fewer are. */
const ENOUGH = 4_096;
const SOON = 200;
/** Milliseconds until the disk is tried again that took nothing. */
const AGAIN = 1_000;
/** Bytes that wait for a disk that takes nothing; what comes then is lost, and counted. */
const MOST = 256 * 1024;

/**
 * A file that lines are appended to, a few at a time, for logs. A disk that is full, read-only or away costs lines, and never
 * the process: nothing throws here, and nothing waits.
 */
export class LineFile {
  readonly #file: number;
  readonly #lost: (count: number) => string;
  #waiting: string[] = [];
  #bytes = 0;
  #count = 0;
  #writing: Buffer | null = null;
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param path made when it is not there, for its owner only
   * @param lost the line that says how many were lost, once it can be written
   * @throws the system's error when it cannot be opened
   */
  constructor(path: string, lost: (count: number) => string) {
    this.#file = openSync(path, 'a', 0o600);
    this.#lost = lost;
  }

  write(line: string): void {
    if (this.#bytes > MOST) {
      this.#count += 1;
      return;
    }
    this.#waiting.push(line);
    this.#bytes += Buffer.byteLength(line);
    if (this.#bytes >= ENOUGH && this.#timer === null) this.#send();
    else this.#sendIn(SOON);
  }

  /** Writes what waits, as far as the disk takes it at once. */
  flush(): void {
    try {
      for (const bytes of [this.#writing, this.#take()]) if (bytes !== null) writeSync(this.#file, bytes);
    } catch {
      // There is nowhere to say it.
    }
    this.#writing = null;
  }

  close(): void {
    this.flush();
    if (this.#timer !== null) clearTimeout(this.#timer);
    closeSync(this.#file);
  }

  #take(): Buffer | null {
    if (this.#waiting.length === 0) return null;
    if (this.#count > 0) this.#waiting.push(this.#lost(this.#count));
    const bytes = Buffer.from(this.#waiting.join(''));
    [this.#waiting, this.#bytes, this.#count] = [[], 0, 0];
    return bytes;
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

  #sendOn(): void {
    const bytes = this.#writing;
    if (bytes === null) return;
    write(this.#file, bytes, (error, written) => {
      // Written out by `flush` meanwhile.
      if (this.#writing !== bytes) return;
      this.#writing = bytes.subarray(error === null ? written : 0);
      if (this.#writing.length === 0) {
        this.#writing = null;
        if (this.#bytes > 0) this.#sendIn(SOON);
      } else if (error === null) this.#sendOn();
      else setTimeout(() => this.#sendOn(), AGAIN).unref();
    });
  }
}
