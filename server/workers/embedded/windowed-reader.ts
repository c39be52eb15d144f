import { readAt } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';

/** Bytes read at once, at least: metadata are usually close together. */
const WINDOW = 16 * 1024;
const GLANCE = 1024;
/** Bytes read of one file in total: no real metadata are longer. */
const MAX_READ = 16 * 1024 * 1024;

/** Random access to a file through a window. The total number of bytes read is limited. */
export class WindowedReader {
  readonly size: number;
  readonly #fd: number;
  readonly #start: number;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;
  #left = MAX_READ;

  constructor(fd: number, size: number, start = 0) {
    this.#fd = fd;
    this.#start = start;
    this.size = size;
  }

  /** A part of the file, as a reader of its own. */
  part(start: number, end: number): WindowedReader {
    const from = Math.min(start, this.size);
    return new WindowedReader(this.#fd, Math.max(0, Math.min(end, this.size) - from), this.#start + from);
  }

  /** A copy of the bytes at an offset. @throws JobError when they are incomplete, or too much was read already */
  async read(at: number, length: number): Promise<Buffer> {
    const bytes = await this.readSome(at, length);
    if (bytes.length < length) throw new JobError('corrupt', 'it ends too early');
    return bytes;
  }

  /** The same, or as many as there are. */
  readSome(at: number, length: number): Promise<Buffer> {
    return this.#chunk(at, length, WINDOW);
  }

  /** The same without filling the window, if the next read is likely far away. */
  glance(at: number, length: number): Promise<Buffer> {
    return this.#chunk(at, length, GLANCE);
  }

  async #chunk(at: number, length: number, window: number): Promise<Buffer> {
    const requested = Math.max(0, Math.min(length, this.size - at));
    if (requested === 0) return Buffer.alloc(0);
    if (at < this.#windowAt || at + requested > this.#windowAt + this.#window.length)
      await this.#load(at, requested, window);
    const start = at - this.#windowAt;
    return Buffer.from(this.#window.subarray(start, start + requested));
  }

  async #load(at: number, requested: number, window: number): Promise<void> {
    const length = Math.min(Math.max(requested, window), this.size - at);
    this.#left -= length;
    if (this.#left < 0) throw new JobError('too_large', `more than ${MAX_READ} bytes would have to be read`);
    this.#window = readAt(this.#fd, this.#start + at, length);
    this.#windowAt = at;
  }
}
