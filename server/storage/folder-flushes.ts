import { closeSync } from 'node:fs';
import { flushAndClose } from './flush.ts';

/**
 * Flushes open folders for concurrent changes: those in one folder that come before its next flush begins share that flush, as
 * databases do with their commits.
 */
export class FolderFlushes {
  readonly #flush: (fd: number) => Promise<void>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  /** @param flush flushes and closes */
  constructor(flush: (fd: number) => Promise<void> = flushAndClose) {
    this.#flush = flush;
  }

  /**
   * Flushes everything that happened in a folder before the call, and closes its descriptor.
   * @param fd of the folder, or -1 where folders cannot be opened
   * @param folder identifies it
   * @throws the error of the flush; it is that of all who shared it
   */
  flushAndClose(fd: number, folder: string): Promise<void> {
    if (fd < 0) return Promise.resolve();
    const running = this.#running.get(folder);
    if (running === undefined) return this.#start(fd, folder);
    const next = this.#next.get(folder);
    if (next !== undefined) {
      // There is nothing to write for this descriptor, so this cannot block.
      closeSync(fd);
      return next;
    }
    const start = () => {
      this.#next.delete(folder);
      return this.#start(fd, folder);
    };
    const begun = running.then(start, start);
    this.#next.set(folder, begun);
    return begun;
  }

  #start(fd: number, folder: string): Promise<void> {
    const running = this.#flush(fd).finally(() => {
      if (this.#running.get(folder) === running) this.#running.delete(folder);
    });
    this.#running.set(folder, running);
    return running;
  }
}
