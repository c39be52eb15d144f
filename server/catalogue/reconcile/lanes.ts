/** Milliseconds without progress after which the others continue independently. */
const SLOW = 2_000;
const CHECK_INTERVAL = 250;

interface Lane {
  readonly work: Promise<void>;
  /** By the clock of `performance`. */
  progress: number;
  /** Whether it is doing other urgent work, which counts as progress. */
  isInBetween: boolean;
  isAlone: boolean;
}

/**
 * Runs work on several homes sequentially as long as each makes progress. One that waits for its disk continues in parallel, and
 * the others do not wait for it.
 */
export class Lanes<Key> {
  readonly #lanes = new Map<Key, Lane>();
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void = () => undefined) {
    this.#failed = failed;
  }

  isBusy(key: Key): boolean {
    return this.#lanes.has(key);
  }

  /** Starts unless there is work for the key already. */
  run(key: Key, work: () => Promise<void>): void {
    if (this.#lanes.has(key)) return;
    const lane: Lane = {
      work: Promise.resolve()
        .then(work)
        .catch(this.#failed)
        .finally(() => this.#lanes.delete(key)),
      progress: performance.now(),
      isInBetween: false,
      isAlone: false,
    };
    this.#lanes.set(key, lane);
  }

  progressed(key: Key): void {
    const lane = this.#lanes.get(key);
    if (lane !== undefined) lane.progress = performance.now();
  }

  /** Runs something else in the middle of the work. */
  async inBetween(key: Key, work: (isAlone: boolean) => Promise<void>): Promise<void> {
    const lane = this.#lanes.get(key);
    if (lane === undefined) return work(false);
    const before = lane.isInBetween;
    lane.isInBetween = true;
    try {
      await work(lane.isAlone);
    } finally {
      lane.isInBetween = before;
      lane.progress = performance.now();
    }
  }

  /** Waits for the end of the work, or until it makes no progress: then it continues alone. */
  async turnOf(key: Key): Promise<void> {
    const lane = this.#lanes.get(key);
    if (lane === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const slow = new Promise<void>((resolve) => {
      timer = setInterval(() => {
        if (lane.isInBetween || performance.now() - lane.progress < SLOW) return;
        lane.isAlone = true;
        resolve();
      }, CHECK_INTERVAL);
    });
    await Promise.race([lane.work, slow]);
    clearInterval(timer);
  }

  /** The same for all. */
  async settled(): Promise<void> {
    await Promise.all([...this.#lanes.keys()].map((key) => this.turnOf(key)));
  }

  async end(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ work }) => work));
  }
}
