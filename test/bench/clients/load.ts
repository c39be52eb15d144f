import { type Helper, startHelper } from '../helper.ts';
import type { Scratch } from '../scratch.ts';
import type { LoadJob, LoadResult } from './load-process.ts';

export type { LoadJob, LoadResult };

/** From here on the client may be what limits a server. */
const TOO_BUSY = 0.95;

/** Starts the client, and keeps in mind how busy it was. */
export class Load {
  readonly #helper: Helper<LoadJob, LoadResult>;
  #busiest = 0;

  constructor(scratch: Scratch) {
    this.#helper = startHelper(scratch, './clients/load-process.js');
  }

  /** @returns requests in a second */
  async run(job: LoadJob): Promise<number> {
    const { milliseconds } = await this.#ask(job);
    return (job.count / milliseconds) * 1000;
  }

  /** @returns milliseconds for a mebibyte of the replies */
  async runPerMebibyte(job: LoadJob): Promise<number> {
    const { milliseconds, bytes } = await this.#ask(job);
    return milliseconds / (bytes / 2 ** 20);
  }

  async #ask(job: LoadJob): Promise<LoadResult> {
    const result = await this.#helper.ask(job);
    this.#busiest = Math.max(this.#busiest, result.busy);
    return result;
  }

  /** What has to be said about the numbers, if anything. */
  get note(): { note?: string } {
    const percent = Math.round(this.#busiest * 100);
    return this.#busiest < TOO_BUSY ? {} : { note: `the client was busy at ${percent} % of a core` };
  }
}
