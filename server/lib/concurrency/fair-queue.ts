/** The queue is full. */
export class QueueFull extends Error {
  constructor() {
    super('the queue is full');
  }
}

interface Waiting {
  readonly run: () => void;
  readonly refuse: (error: QueueFull) => void;
}

/**
 * Runs one task at a time, taking the groups in turn, so that a group with many tasks delays only itself. When the queue is
 * full, the newest task of the largest group is rejected.
 */
export class FairQueue {
  readonly #most: number;
  readonly #groups = new Map<string, Waiting[]>();
  #waiting = 0;
  #isBusy = false;

  /** @param most tasks that may wait */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws QueueFull when it was not begun because the queue is full */
  async run<T>(group: string, work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#turn(group);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(group: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const mine = this.#groups.get(group) ?? [];
      if (this.#waiting >= this.#most && !this.#makeRoom(mine.length)) return reject(new QueueFull());
      mine.push({ run: resolve, refuse: reject });
      this.#groups.set(group, mine);
      this.#waiting += 1;
    });
  }

  /** @param count of the new task's group in the queue @returns false if no other group has more */
  #makeRoom(count: number): boolean {
    let largest: Waiting[] = [];
    for (const waiting of this.#groups.values()) if (waiting.length > largest.length) largest = waiting;
    if (largest.length <= count + 1) return false;
    this.#waiting -= 1;
    largest.pop()?.refuse(new QueueFull());
    return true;
  }

  /** The group that has waited longest since its last turn. It stays busy while anything waits. */
  #next(): void {
    for (const [group, waiting] of this.#groups) {
      this.#groups.delete(group);
      const first = waiting.shift();
      if (waiting.length > 0) this.#groups.set(group, waiting);
      if (first === undefined) continue;
      this.#waiting -= 1;
      first.run();
      return;
    }
    this.#isBusy = false;
  }
}
