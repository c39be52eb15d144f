import { TurnQueue } from './turn-queue.ts';

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
  readonly #waiting: TurnQueue<Waiting>;
  #isBusy = false;

  /** @param most tasks that may wait */
  constructor(most: number) {
    this.#waiting = new TurnQueue(most);
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
      this.#waiting.push({ kind: group, id: '' }, { run: resolve, refuse: reject })?.refuse(new QueueFull());
    });
  }

  /** It stays busy while anything waits. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isBusy = false;
    else next.run();
  }
}
