import { AsyncLocalStorage } from 'node:async_hooks';

let isOn = false;

/** For test builds: following every asynchronous step costs too much elsewhere. */
export function enableScopeGuards(): void {
  isOn = true;
}

/**
 * Finds what must not be called from within some work, however many functions lie between: nested locks, which could wait for
 * each other, and reads beside the transaction of a unit of work, which do not see what the unit has written.
 */
export class ScopeGuard {
  readonly #storage = new AsyncLocalStorage<boolean>();
  readonly #rule: string;

  /** @param rule the message of the error, for whoever broke it */
  constructor(rule: string) {
    this.#rule = rule;
  }

  run<T>(work: () => T): T {
    return isOn ? this.#storage.run(true, work) : work();
  }

  /** For work that goes on by itself after the scope has ended. */
  leave<T>(work: () => T): T {
    return isOn ? this.#storage.run(false, work) : work();
  }

  /** @throws Error when this is called from within the scope */
  check(): void {
    if (isOn && this.#storage.getStore() === true) throw new Error(this.#rule);
  }
}
