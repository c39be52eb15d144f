import type { ItemTarget } from '../access/access.ts';
import { type AccountCaller, rightsOf } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { permit } from '../access/rights.ts';
import { itemsThere } from '../catalogue/newest.ts';
import { itemEvent } from '../files/shares-and-links-query.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { actorOf } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { WeblinksContext } from './context.ts';
import { type LinkOptions, NO_RULES, namesOfRules, rulesFrom } from './link-options.ts';
import type { LinkRecord } from './link-record.ts';
import { extraRules, hashOf, type LinkRequest, linkEvent, noLink, permitRules, refuseHome } from './make-link.ts';

/** Most items of one link. */
export const MAX_ITEMS = 300;

/** A link to several items, and those of them that are there, in the order in which they were chosen. */
export interface LinkToSeveral {
  readonly link: LinkRecord;
  /** The title of the album that it follows; null for any other link. */
  readonly album: string | null;
  readonly items: readonly { readonly name: string; readonly isDir: boolean }[];
}

/** An item that is to be in a link to several. */
interface ChosenItem {
  readonly uuid: string;
  readonly name: string;
  readonly isDir: boolean;
  readonly id: number;
  readonly target: ItemTarget;
}

/**
 * The items of the caller's own home that are to be in a link to several, each once.
 * @param named 1 to `MAX_ITEMS` items
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path` for a home, `invalid_parameter`, also for an item of someone else
 */
export async function chosenItems(
  context: WeblinksContext,
  caller: AccountCaller,
  named: readonly ItemName[],
): Promise<ChosenItem[]> {
  if (named.length === 0 || named.length > MAX_ITEMS) {
    throw invalidParameter('items', t('api.parameters.entryCount', { parameter: 'items', max: MAX_ITEMS }));
  }
  const chosen = new Map<number, ChosenItem>();
  for (const name of named) {
    const target = await context.access.resolveItem(caller, name, 'files/weblink');
    refuseHome(target);
    if (target.share !== null) throw invalidParameter('items', t('api.links.ownOnly'));
    const { id, uuid, name: own, isDir } = await withItem(context, target, async ({ item }) => item);
    chosen.set(id, { id, uuid, name: own, isDir, target });
  }
  return [...chosen.values()];
}

/**
 * A new link to several items of the caller's own home. Visitors see exactly these, wherever they are moved, and nothing else of
 * the folders that contain them.
 * @throws ApiError like `chosenItems`
 */
export async function makeLinkToSeveral(
  context: WeblinksContext,
  caller: AccountCaller,
  named: readonly ItemName[],
  request: LinkRequest,
): Promise<LinkRecord> {
  const now = context.clock.now();
  const rules = extraRules(request, rulesFrom(NO_RULES, request, false, now), now);
  permitRules(caller, { share: null }, rules);
  const passwordHash = await hashOf(request.password, caller);
  const chosen = await chosenItems(context, caller, named);
  const ids = chosen.map(({ id }) => id);
  const link = await context.database.write(async (tx) => {
    const there = await tx.all<{ id: number }>(
      'SELECT id FROM items WHERE id IN (SELECT value FROM json_each(?)) AND home_id = ?',
      [JSON.stringify(ids), caller.account.homeId],
    );
    const [itemId] = ids;
    if (itemId === undefined || there.length < ids.length) throw new ApiError('not_found', t('api.access.notFound'));
    const requested = { ...rules, itemId, creatorId: caller.account.id, isPermanent: false, passwordHash };
    return context.links.add(tx, requested, ids);
  });
  const kind = request.singleDownload === true ? 'single' : request.temporary === true ? 'temporary' : 'standing';
  for (const { id, target } of chosen) {
    context.events.emit('weblink.created', { ...linkEvent(caller, target, id, link), kind });
  }
  return link;
}

/** Most items of a link to an album; further ones are not in it. */
export const MAX_ALBUM_ITEMS = 1_000;

/** An album of the caller, and what the caller has added to it from the own home, in the order of the album. */
interface LinkedAlbum {
  readonly id: number;
  readonly itemIds: readonly number[];
}

/**
 * A new link to an album of the caller. It follows the album: an item that is added later is seen, one that is taken out is not.
 * @throws ApiError `permission_denied`; `conflict` for an album without own items; `not_found` if it was deleted meanwhile
 */
export async function makeLinkToAlbum(
  context: WeblinksContext,
  caller: AccountCaller,
  { id: albumId, itemIds }: LinkedAlbum,
  request: LinkRequest,
): Promise<LinkRecord> {
  permit(rightsOf(caller), 'files/weblink');
  const now = context.clock.now();
  const rules = extraRules(request, rulesFrom(NO_RULES, request, false, now), now);
  permitRules(caller, { share: null }, rules);
  const passwordHash = await hashOf(request.password, caller);
  const link = await context.database.write(async (tx) => {
    const rows = await tx.all<{ item_id: number }>(
      `SELECT m.item_id FROM json_each(?1) list CROSS JOIN album_items m ON m.album_id = ?2 AND m.item_id = list.value
         CROSS JOIN items i ON i.id = m.item_id WHERE m.added_by = ?3 AND i.home_id = ?4 ORDER BY list.key LIMIT ${MAX_ALBUM_ITEMS}`,
      [JSON.stringify(itemIds), albumId, caller.account.id, caller.account.homeId],
    );
    const ids = rows.map(({ item_id: itemId }) => itemId);
    const [itemId] = ids;
    if (itemId === undefined) throw new ApiError('conflict', t('api.albums.nothingToLink'));
    const requested = { ...rules, itemId, creatorId: caller.account.id, isPermanent: false, passwordHash, albumId };
    return context.links.add(tx, requested, ids);
  });
  const kind = request.singleDownload === true ? 'single' : request.temporary === true ? 'temporary' : 'standing';
  const rulesSet = namesOfRules(link, link.passwordHash !== null);
  const event = { ...(await eventOf(context, caller, link)), number: link.number, rules: rulesSet };
  context.events.emit('weblink.created', { ...event, kind });
  return link;
}

/** The caller's own links to several items, newest first. */
export async function linksToSeveral(context: WeblinksContext, { account }: AccountCaller): Promise<LinkToSeveral[]> {
  const links = await context.links.ofSeveralBy(account.id);
  return Promise.all(links.map((link) => withItems(context, link)));
}

/** @throws ApiError `no_weblink` for anything but the caller's own link to several items */
export async function linkToSeveral(
  context: WeblinksContext,
  { account }: AccountCaller,
  number: number,
): Promise<LinkToSeveral> {
  const link = await context.links.byNumber(number);
  if (link === null || !link.isOfSeveral || link.creatorId !== account.id) throw noLink();
  return withItems(context, link);
}

async function withItems(context: WeblinksContext, link: LinkRecord): Promise<LinkToSeveral> {
  const found = await itemsThere(context.database, await context.links.itemsOf(link.number));
  const album = await context.links.albumTitle(link);
  return { link, album, items: found.map(({ item: { name, isDir } }) => ({ name, isDir })) };
}

/** Changes the options of a link to several items, like `editLink`. @throws ApiError `no_weblink`, `permission_denied` */
export async function editLinkToSeveral(
  context: WeblinksContext,
  caller: AccountCaller,
  number: number,
  options: LinkOptions,
): Promise<LinkRecord> {
  permit(rightsOf(caller), 'files/weblink/edit');
  const passwordHash = options.password === undefined ? undefined : await hashOf(options.password, caller);
  const { link } = await linkToSeveral(context, caller, number);
  const rules = rulesFrom(link, options, false, context.clock.now());
  permitRules(caller, { share: null }, rules);
  await context.database.write(async (tx) => {
    if ((await context.links.byNumber(number, tx)) === null) throw noLink();
    await context.links.change(tx, number, rules, passwordHash);
    const isOther = { password: passwordHash !== undefined, terms: rules.downloadTerms !== link.downloadTerms };
    await context.visits.askAgain(tx, number, isOther);
  });
  const changed = { ...link, ...rules, passwordHash: passwordHash === undefined ? link.passwordHash : passwordHash };
  const event = {
    ...(await eventOf(context, caller, link)),
    number,
    rules: namesOfRules(changed, changed.passwordHash !== null),
  };
  context.events.emit('weblink.changed', event);
  return changed;
}

/** @throws ApiError `no_weblink`, `permission_denied` */
export async function removeLinkToSeveral(
  context: WeblinksContext,
  caller: AccountCaller,
  number: number,
): Promise<void> {
  permit(rightsOf(caller), 'files/unweblink');
  const { link } = await linkToSeveral(context, caller, number);
  const event = await eventOf(context, caller, link);
  await context.database.write(async (tx) => {
    if ((await context.links.byNumber(number, tx)) === null) throw noLink();
    await context.links.remove(tx, number);
  });
  context.events.emit('weblink.removed', { ...event, links: 1 });
}

/** Whose link it is, where one of its items is, and how many it has. */
async function eventOf(
  { database, links }: WeblinksContext,
  { account, ...from }: AccountCaller,
  { itemId, number }: LinkRecord,
) {
  const items = (await links.itemsOf(number)).length;
  return { actor: actorOf(from, account), ...(await itemEvent(database, itemId)), items };
}
