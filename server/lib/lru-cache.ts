/** A map of limited weight: the least recently used entries are dropped first. */
export class LruCache<Value> {
  readonly #limit: number;
  readonly #weigh: (value: Value) => number;
  readonly #entries = new Map<string, Value>();
  #weight = 0;

  /** @param weigh the weight of an entry; 1 by default */
  constructor(limit: number, weigh: (value: Value) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#limit || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#weight -= this.#weigh(value);
    this.#entries.delete(key);
  }

  keys(): string[] {
    return [...this.#entries.keys()];
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
