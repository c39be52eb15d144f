import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../log/log.ts';

interface Closer {
  readonly name: string;
  readonly close: () => void | Promise<void>;
  readonly limit: number;
}

/** For parts that answer to nobody else: long enough for a slow disk, short enough for a machine that shuts down. */
const LIMIT = 30_000;
/** After this time the log names the part that is awaited. */
const SLOW = 5_000;

/** The log entry of a part that did not close in time. */
export const DID_NOT_CLOSE = 'a part did not close in time; closing goes on without it';

/**
 * Closes parts in the reverse order of their opening. A part that fails or does not end keeps no other from being closed: the
 * database and the lock of the folder come last and matter most.
 */
export class Closers {
  readonly #log: Log;
  readonly #closers: Closer[] = [];
  #late: string[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  /** The parts that have not ended in time, by name. They may keep the process alive. */
  get late(): readonly string[] {
    return this.#late;
  }

  /** @param limit milliseconds after which closing goes on with the next part; Infinity for a part with limits of its own */
  add(name: string, close: () => void | Promise<void>, limit = LIMIT): void {
    this.#closers.push({ name, close, limit });
  }

  /** @throws the first error of a part, after all parts have been closed */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const closer of this.#closers.splice(0).reverse()) {
      try {
        await this.#closeOne(closer);
      } catch (error) {
        this.#log.error({ err: error, part: closer.name }, 'a part failed to close');
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  async #closeOne({ name, close, limit }: Closer): Promise<void> {
    const closing = (async () => close())();
    // After the limit nothing awaits it.
    closing.catch((error) => {
      if (this.#late.includes(name)) this.#log.error({ err: error, part: name }, 'a part failed to close');
    });
    const timers = new AbortController();
    const ended = closing.then(() => true);
    try {
      if (await Promise.race([ended, after(Math.min(SLOW, limit), timers.signal)])) return;
      this.#log.warn({ part: name }, 'a part takes long to close');
      if (limit === Number.POSITIVE_INFINITY) return void (await closing);
      if (await Promise.race([ended, after(Math.max(limit - SLOW, 0), timers.signal)])) return;
      this.#late = [...this.#late, name];
      this.#log.error({ part: name }, DID_NOT_CLOSE);
    } finally {
      timers.abort();
    }
  }
}

/** Resolves to false after `milliseconds`, or never if aborted. */
async function after(milliseconds: number, signal: AbortSignal): Promise<false> {
  await wait(milliseconds, undefined, { signal }).catch(() => new Promise<never>(() => {}));
  return false;
}
