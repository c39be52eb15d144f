import { ScopeGuard } from './scope-guard.ts';

/**
 * Milliseconds for what has been received or made already: it would be lost, so it waits for a large folder that is compared with
 * the disk, or whose trees are moved.
 */
export const WAIT_TO_PUBLISH = 60_000;

/** A lock was not free in time. */
export class LockTimeout extends Error {
  constructor() {
    super('another operation on this path did not finish in time');
    this.name = 'LockTimeout';
  }
}

interface Held {
  readonly keys: readonly string[];
}

interface Waiting extends Held {
  readonly start: () => void;
}

/**
 * Locks over paths. Two locks conflict when one path is the other or an ancestor of it. All paths of an operation are locked
 * together, so there are no deadlocks, and in the order of arrival, so that none waits forever.
 */
export class PathLocks {
  readonly #held = new Set<Held>();
  readonly #waiting: Waiting[] = [];
  readonly #timeout: number;
  readonly #guard = new ScopeGuard('path locks do not nest: take all paths of an operation together');

  /** @param timeout milliseconds to wait before {@link LockTimeout} */
  constructor(timeout = 5_000) {
    this.#timeout = timeout;
  }

  /**
   * Runs `work` while holding `paths` (segments joined with `/`). Must not be nested: the inner lock could wait for another
   * operation that waits for the outer one.
   * @param timeout milliseconds to wait, if not the usual ones
   * @throws LockTimeout when they are not free in time
   */
  async run<T>(paths: readonly string[], work: () => Promise<T>, timeout = this.#timeout): Promise<T> {
    this.#guard.check();
    const held: Held = { keys: paths.map((path) => (path.endsWith('/') ? path : `${path}/`)).sort() };
    await this.#take(held, timeout);
    try {
      return await this.#guard.run(work);
    } finally {
      this.#held.delete(held);
      this.#wake();
    }
  }

  #take(held: Held, timeout: number): Promise<void> {
    if (this.#isFree(held, this.#waiting)) {
      this.#held.add(held);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        keys: held.keys,
        start: () => {
          clearTimeout(timer);
          this.#held.add(held);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#wake();
        reject(new LockTimeout());
      }, timeout);
      this.#waiting.push(waiting);
    });
  }

  #isFree(requested: Held, before: readonly Held[]): boolean {
    for (const held of this.#held) if (overlap(held, requested)) return false;
    return !before.some((earlier) => overlap(earlier, requested));
  }

  #wake(): void {
    for (let i = 0; i < this.#waiting.length; ) {
      const candidate = this.#waiting[i];
      if (candidate !== undefined && this.#isFree(candidate, this.#waiting.slice(0, i))) {
        this.#waiting.splice(i, 1);
        candidate.start();
      } else {
        i += 1;
      }
    }
  }
}

function overlap(a: Held, b: Held): boolean {
  return a.keys.some((left) => b.keys.some((right) => left.startsWith(right) || right.startsWith(left)));
}
