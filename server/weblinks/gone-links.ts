import { type AccountCaller, rightsOf } from '../access/caller.ts';
import { permit } from '../access/rights.ts';
import {
  itemEvent,
  SHARED_OR_LINKED_COLUMNS,
  type SharedOrLinkedItem,
  type SharedOrLinkedRow,
  sharedOrLinkedFrom,
  sharedOrLinkedItems,
} from '../files/shares-and-links-query.ts';
import { actorOf } from '../lib/events.ts';
import type { WeblinksContext } from './context.ts';
import { type LinkRow, linkOf } from './link-record.ts';
import { noLink } from './make-link.ts';
import { linkState } from './open-link.ts';

/** A link whose item cannot be opened, and why. */
export interface GoneLink {
  readonly number: number;
  /** Null for an item of someone else, which may have another name by now. */
  readonly name: string | null;
  /** `lost`: it belongs to someone else, and the caller no longer reaches it. */
  readonly why: 'trashed' | 'missing' | 'lost';
}

/** The caller's links to single items that cannot be opened, newest first. */
export async function goneLinks(context: WeblinksContext, { account }: AccountCaller): Promise<GoneLink[]> {
  const rows = await context.database.all<LinkRow & SharedOrLinkedRow>(
    `SELECT given.*, ${SHARED_OR_LINKED_COLUMNS} ${sharedOrLinkedFrom('weblinks', 'creator_id')}
     WHERE given.creator_id = ? AND given.several = 0 AND given.standing = 1 ORDER BY given.number DESC`,
    [account.id],
  );
  const items = await sharedOrLinkedItems(context.database, rows);
  const gone: GoneLink[] = [];
  for (const row of rows) {
    const item = items.get(row.item_id);
    const why = item === undefined ? null : await whyGone(context, row, item, account.homeId);
    if (item === undefined || why === null) continue;
    gone.push({ number: row.number, name: why === 'lost' ? null : item.name, why });
  }
  return gone;
}

async function whyGone(
  context: WeblinksContext,
  row: LinkRow,
  { homeId, place: { state } }: SharedOrLinkedItem,
  own: string | null,
): Promise<GoneLink['why'] | null> {
  if (homeId === own) return state === 'there' ? null : state;
  return (await linkState(context, linkOf(row))) === null ? 'lost' : null;
}

/** Removes such a link. @throws ApiError `no_weblink` for any other link, `permission_denied` */
export async function removeGoneLink(context: WeblinksContext, caller: AccountCaller, number: number): Promise<void> {
  permit(rightsOf(caller), 'files/unweblink');
  const { account, ...from } = caller;
  if (!(await goneLinks(context, caller)).some((link) => link.number === number)) throw noLink();
  await context.database.write(async (tx) => {
    const link = await context.links.byNumber(number, tx);
    if (link === null || link.creatorId !== account.id) throw noLink();
    const event = { ...(await itemEvent(tx, link.itemId)), items: (await context.links.itemsOf(number, tx)).length };
    await context.links.remove(tx, number);
    tx.afterCommit(() => context.events.emit('weblink.removed', { actor: actorOf(from, account), links: 1, ...event }));
  });
}
