import { AsyncLocalStorage } from 'node:async_hooks';
import { CONTROL, type Origin } from '../lib/events.ts';

const callers = new AsyncLocalStorage<Origin>();

/** Where the call of a control method that is under way comes from: this machine, unless something else was said. */
export function controlOrigin(): Origin {
  return callers.getStore() ?? CONTROL;
}

/** Does something as a call from elsewhere. */
export function callingFrom<Result>(origin: Origin, work: () => Result): Result {
  return callers.run(origin, work);
}
