import { readdir, readFile } from 'node:fs/promises';
import type { ApiClient } from '../../support/requests/api-client.ts';

export interface ProcessState {
  /** Bytes that it has in memory. */
  readonly memory: number;
  /** Open files and connections. */
  readonly handles: number;
}

/** What the kernel says of a process (Linux). */
export async function stateOf(pid: number): Promise<ProcessState> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const { length: handles } = await readdir(`/proc/${pid}/fd`);
  return { memory: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024, handles };
}

/** Somebody else who asks on, one thing after the other, and never waits for those who attack. */
export class Bystander {
  readonly #asking: Promise<void>;
  #isAsking = true;
  #slowest = 0;
  #answered = 0;
  readonly #complaints: string[] = [];

  /** @param everything the milliseconds between an answer and the next question */
  constructor(api: ApiClient, pause = 20) {
    this.#asking = this.#ask(api, pause);
  }

  async #ask(api: ApiClient, pause: number): Promise<void> {
    while (this.#isAsking) {
      const began = performance.now();
      try {
        const { status } = await api.send('GET', '/healthz');
        if (status !== 200) this.#complaints.push(`answered with ${status}`);
      } catch (error) {
        this.#complaints.push(String(error));
      }
      this.#slowest = Math.max(this.#slowest, performance.now() - began);
      this.#answered += 1;
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  /** @returns the slowest answer in milliseconds, over a new connection each */
  async end(): Promise<{ slowest: number; answered: number; complaints: readonly string[] }> {
    this.#isAsking = false;
    await this.#asking;
    return { slowest: this.#slowest, answered: this.#answered, complaints: this.#complaints };
  }
}
