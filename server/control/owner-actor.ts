import { type Accounts, OWNER_ID } from '../accounts/accounts.ts';
import { type Actor, actorOf, type Origin } from '../lib/events.ts';

/** Who carries out a control method: whoever holds the folder, a token or the owner's own account is the owner. */
export async function ownerActor(accounts: Pick<Accounts, 'byId'>, origin: Origin): Promise<Actor> {
  return actorOf(origin, await accounts.byId(OWNER_ID));
}
