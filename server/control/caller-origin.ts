import { AsyncLocalStorage } from 'node:async_hooks';
import { type Accounts, OWNER_ID } from '../accounts/accounts.ts';
import { type Actor, actorOf, CONTROL, type Origin } from '../lib/events.ts';

const callers = new AsyncLocalStorage<Origin>();

/** Where the call of a control method that is under way comes from: this machine, unless something else was said. */
export function controlOrigin(): Origin {
  return callers.getStore() ?? CONTROL;
}

/** Does something as a call from elsewhere. */
export function callingFrom<Result>(origin: Origin, work: () => Result): Result {
  return callers.run(origin, work);
}

/** Who does what a control method does: whoever holds the folder, a token or the owner's own account is the owner. */
export async function ownerCalling(accounts: Pick<Accounts, 'byId'>): Promise<Actor> {
  return actorOf(controlOrigin(), await accounts.byId(OWNER_ID));
}
