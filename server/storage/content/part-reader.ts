import type { Readable } from 'node:stream';
import { StorageError } from '../errors.ts';

/** What arrived of a stream: a full buffer, or what was left at its end. */
interface Part {
  /** Empty if nothing more came. Valid until its buffer is used again. */
  readonly bytes: Buffer;
  /** `end` after the last part; an error when the stream broke off or exceeded the limit; null if more may follow. */
  readonly end: 'end' | StorageError | null;
}

const NOTHING = Buffer.alloc(0);

/**
 * Collects a stream of many small chunks in large buffers. The stream is paused while no buffer is offered. It uses events: an
 * async iterator costs several promises per chunk, which is more than copying the chunk.
 *
 * A stream that ends early, or breaks, is `cut-off`; one with more bytes than the limit is `too-large`. The stream itself is
 * never destroyed, so that a reply can still be sent.
 */
export class PartReader {
  readonly #source: Readable;
  readonly #limit: number;
  #arrived = 0;
  #end: Part['end'] = null;
  /** What did not fit into the last buffer. */
  #rest: Buffer = NOTHING;
  #allocate: (() => Buffer) | null = null;
  #buffer: Buffer | null = null;
  #filled = 0;
  #resolve: (part: Part) => void = () => undefined;

  /** @param limit most bytes */
  constructor(source: Readable, limit: number) {
    this.#source = source;
    this.#limit = limit;
    if (source.readableEnded) this.#end = 'end';
    else if (source.destroyed) this.#end = new StorageError('cut-off');
    source.pause();
    source.on('data', this.#onData);
    source.on('end', this.#onEnd);
    source.on('error', this.#onError);
    source.on('close', this.#onError);
  }

  /**
   * Waits until a buffer is full, or the stream is at its end.
   * @param allocate called for the buffer when there is something to put into it
   */
  next(allocate: () => Buffer): Promise<Part> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#allocate = allocate;
      const rest = this.#rest;
      this.#rest = NOTHING;
      if (rest.length > 0) this.#fill(rest);
      if (this.#allocate === null) return;
      if (this.#end === null) this.#source.resume();
      else this.#settle();
    });
  }

  /** Ends reading; whatever comes later stays in the stream. */
  close(): void {
    const source = this.#source;
    source.pause();
    source.off('data', this.#onData);
    source.off('end', this.#onEnd);
    source.off('error', this.#onError);
    source.off('close', this.#onError);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#end !== null) return;
    if (this.#arrived + chunk.length > this.#limit) {
      this.#finish(new StorageError('too-large'));
      return;
    }
    this.#arrived += chunk.length;
    this.#fill(chunk);
  };

  readonly #onEnd = () => this.#finish('end');

  readonly #onError = (error?: Error): void => {
    // `close` follows every end; an error object costs more than the rest of a small transfer.
    if (this.#end === null) this.#finish(error instanceof StorageError ? error : new StorageError('cut-off'));
  };

  #fill(chunk: Buffer): void {
    if (this.#allocate === null) {
      // It was under way when the stream was paused.
      this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
      return;
    }
    this.#buffer ??= this.#allocate();
    const copied = chunk.copy(this.#buffer, this.#filled);
    this.#filled += copied;
    if (copied < chunk.length) this.#rest = chunk.subarray(copied);
    if (this.#filled < this.#buffer.length) return;
    this.#source.pause();
    this.#settle();
  }

  #finish(end: 'end' | StorageError): void {
    if (this.#end !== null) return;
    this.#end = end;
    if (end !== 'end') this.#source.pause();
    if (this.#allocate !== null) this.#settle();
  }

  #settle(): void {
    const bytes = this.#buffer?.subarray(0, this.#filled) ?? NOTHING;
    const end = this.#rest.length > 0 ? null : this.#end;
    [this.#allocate, this.#buffer, this.#filled] = [null, null, 0];
    this.#resolve({ bytes, end });
  }
}
