/** Runs work with the same key one after the other, and work with different keys at the same time. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #counts = new Map<string, number>();

  /** The number of tasks of a key that run or wait. */
  waiting(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#tails.set(key, result);
    this.#counts.set(key, this.waiting(key) + 1);
    const clean = () => {
      const left = this.waiting(key) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    };
    result.then(clean, clean);
    return result;
  }
}
