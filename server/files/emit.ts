import { homePathOf, type ItemTarget } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import type { Grant } from '../access/shared.ts';
import { accountsOfHome } from '../accounts/account-rows.ts';
import type { Home } from '../catalogue/homes.ts';
import { type Actor, actorOf, type HomeEvent, type LarderEvents } from '../lib/events.ts';
import type { FilesContext, RowsContext } from './context.ts';

type HomeEventName = {
  [Name in keyof LarderEvents]: LarderEvents[Name] extends HomeEvent ? Name : never;
}[keyof LarderEvents];

/** Emits what someone did in a home: the only source of file events. */
export function emitItemEvent<Name extends HomeEventName>(
  { events }: Pick<FilesContext, 'events'>,
  name: Name,
  by: Actor | Caller,
  { home, share }: Pick<ItemTarget, 'home' | 'share'>,
  what: Omit<LarderEvents[Name], keyof HomeEvent>,
): void {
  const visitor = 'visitor' in by ? by.visitor : undefined;
  const owner = share?.owner.username;
  const of = owner === undefined ? {} : { owner };
  const link = visitor === undefined ? {} : { link: { number: visitor.link, visitor: visitor.name } };
  const actor = actorOf(by, visitor === undefined ? (by.account ?? null) : visitor.signedInAs);
  const where = share === null || (visitor === undefined && share.path === undefined) ? {} : pathInHome(what, share);
  events.emit(name, { ...what, ...where, ...of, ...link, actor, homeId: home.id } as LarderEvents[Name]);
}

/**
 * A visitor's paths begin at the linked item, and those of items in albums consist of uuids, which mean nothing to readers of the log:
 * they get the path in the home.
 */
function pathInHome(what: object, { location, path }: Pick<Grant, 'location' | 'path'>): { readonly path?: string } {
  const below = 'path' in what && path === undefined ? what.path : '';
  return 'path' in what ? { path: `${homePathOf(location.segments)}${below}` } : {};
}

/** The user name of the home's owner; null for a home with no owner or with several. */
export async function ownerOf({ database }: RowsContext, home: Home): Promise<string | null> {
  const [only, ...others] = await accountsOfHome(database, home.id);
  return only === undefined || others.length > 0 ? null : only.username;
}
