import { AsyncLocalStorage } from 'node:async_hooks';

let isOn = false;

/**
 * The guards whose scope the current work is in. All share one storage: each storage in use slows down every asynchronous step of
 * the process.
 */
const scopes = new AsyncLocalStorage<readonly ScopeGuard[]>();

/** For test builds: following every asynchronous step costs too much elsewhere. */
export function enableScopeGuards(): void {
  isOn = true;
}

/**
 * Detects calls that are forbidden within some work, at any depth: nested locks, which could deadlock, and reads outside of the
 * transaction of a unit of work, which do not see its writes.
 */
export class ScopeGuard {
  readonly #rule: string;

  /** @param rule the message of the error */
  constructor(rule: string) {
    this.#rule = rule;
  }

  run<T>(work: () => T): T {
    return isOn ? scopes.run([...(scopes.getStore() ?? []), this], work) : work();
  }

  /** For work that continues after the scope has ended. */
  leave<T>(work: () => T): T {
    if (!isOn) return work();
    return scopes.run(
      (scopes.getStore() ?? []).filter((guard) => guard !== this),
      work,
    );
  }

  /** @throws Error when called within the scope */
  check(): void {
    if (isOn && scopes.getStore()?.includes(this) === true) throw new Error(this.#rule);
  }
}
