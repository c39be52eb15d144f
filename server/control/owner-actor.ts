import { type Accounts, OWNER_ID } from '../accounts/accounts.ts';
import { type Actor, actorOf, type Origin } from '../lib/events.ts';

/** The actor of control methods: holders of the folder, a token or the owner's account act as the owner. */
export async function ownerActor(accounts: Pick<Accounts, 'byId'>, origin: Origin): Promise<Actor> {
  return actorOf(origin, await accounts.byId(OWNER_ID));
}
