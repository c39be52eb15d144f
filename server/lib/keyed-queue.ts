/** Runs work with the same key one after the other, and work with different keys at the same time. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#tails.set(key, result);
    const clean = () => {
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    };
    result.then(clean, clean);
    return result;
  }
}
