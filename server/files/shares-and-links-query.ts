import { HOME_BASE, homePathOf } from '../access/access.ts';
import { displayName } from '../accounts/account-record.ts';
import { accountsOfHome } from '../accounts/account-rows.ts';
import { type ItemLocation, locationsOf } from '../catalogue/places.ts';
import type { FilesDatabase, Transaction } from '../database/database.ts';
import { searchFold } from '../lib/names/names.ts';
import { originalPathsOf } from './trash/trash-rows.ts';

/** A shared or linked file or folder, as stored in its row. */
export interface SharedOrLinkedRow {
  readonly item_id: number;
  readonly item_name: string;
  readonly is_dir: number;
  readonly home_id: string;
  readonly home_owner: string | null;
  readonly by_id: number;
  readonly by_username: string;
}

export interface SharedOrLinkedItem {
  readonly id: number;
  readonly name: string;
  readonly isDir: boolean;
  readonly homeId: string;
  /** The owner of its home. */
  readonly owner: string | null;
  /** For an item in the trash: its former location. */
  readonly place: ItemLocation;
}

export interface SharesAndLinksQuery {
  /**
   * A part of the name of the item or album, or of the name or user name of who shared it, or of the person or group it is shared with;
   * regardless of case and accents.
   */
  readonly text: string;
  readonly by?: number | undefined;
  /** Only rows with a smaller number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * The item columns of a link or share; `given` is the table, with `item_id` and the column `giver` for the account that created
 * it.
 */
export const sharedOrLinkedFrom = (given: string, giver: string) =>
  `FROM ${given} AS given CROSS JOIN items ON items.id = given.item_id CROSS JOIN accounts ON accounts.id = given.${giver}
   LEFT JOIN accounts AS owners ON owners.home_id = items.home_id`;

export const SHARED_OR_LINKED_COLUMNS = `given.item_id, items.name AS item_name, items.is_dir, items.home_id,
   owners.username AS home_owner, accounts.id AS by_id, accounts.username AS by_username`;

/** With ?1 the folded text, and ?3 the ids of the accounts whose names fit it. */
export const NAMED_BY_TEXT = `?1 = '' OR instr(items.name_fold, ?1) > 0 OR accounts.id IN (SELECT value FROM json_each(?3))`;
/** With ?2 the account. */
export const GIVEN_BY = '(?2 IS NULL OR accounts.id = ?2)';

/** The accounts whose name or user name contains a text, as JSON. @param text folded as by `searchFold` */
export async function accountsNamed(database: Pick<FilesDatabase, 'all'>, text: string): Promise<string> {
  if (text === '') return '[]';
  const all = await database.all<{ id: number; username: string; name: string; lastName: string }>(
    'SELECT id, username, name, last_name AS lastName FROM accounts',
  );
  const fitting = all.filter((one) => [one.username, displayName(one)].some((name) => searchFold(name).includes(text)));
  return JSON.stringify(fitting.map(({ id }) => id));
}

/** The groups whose name contains a text, as JSON. @param text folded as by `searchFold` */
export async function groupsNamed(database: Pick<FilesDatabase, 'all'>, text: string): Promise<string> {
  if (text === '') return '[]';
  const all = await database.all<{ id: number; name: string }>('SELECT id, name FROM groups');
  return JSON.stringify(all.flatMap(({ id, name }) => (searchFold(name).includes(text) ? [id] : [])));
}

/** The albums whose title contains a text, as JSON. @param text folded as by `searchFold` */
export async function albumsNamed(database: Pick<FilesDatabase, 'all'>, text: string): Promise<string> {
  if (text === '') return '[]';
  const all = await database.all<{ id: number; title: string }>('SELECT id, title FROM albums');
  return JSON.stringify(all.flatMap(({ id, title }) => (searchFold(title).includes(text) ? [id] : [])));
}

/** @returns by item id, without items that are no longer in the catalogue */
export async function sharedOrLinkedItems(
  database: Pick<FilesDatabase, 'all'>,
  rows: readonly SharedOrLinkedRow[],
): Promise<Map<number, SharedOrLinkedItem>> {
  const places = await locationsOf(database, [...new Set(rows.map((row) => row.item_id))]);
  const trashed = await originalPaths(database, [...places.values()]);
  const items = new Map<number, SharedOrLinkedItem>();
  for (const row of rows) {
    const place = places.get(row.item_id);
    if (place === undefined) continue;
    const [top = '', ...below] = place.segments;
    const original = place.state === 'trashed' ? trashed.get(top) : undefined;
    const segments = original === undefined ? place.segments : [...original, ...below];
    items.set(row.item_id, {
      id: row.item_id,
      name: segments.at(-1) ?? row.item_name,
      isDir: row.is_dir === 1,
      homeId: row.home_id,
      owner: row.home_owner,
      place: { ...place, segments },
    });
  }
  return items;
}

/** Items in the trash have generated names: these are their former locations, with their former names. */
async function originalPaths(
  database: Pick<FilesDatabase, 'all'>,
  places: readonly ItemLocation[],
): Promise<Map<string, readonly string[]>> {
  const ids = places.flatMap(({ state, segments }) => (state === 'trashed' ? segments.slice(0, 1) : []));
  if (ids.length === 0) return new Map();
  const above = `${HOME_BASE}/`.length;
  const paths = await originalPathsOf(database, ids);
  return new Map([...paths].map(([id, path]) => [id, path.slice(above).split('/')]));
}

/** The event of an item whose share or link the owner ended: whose it is, and its location. */
export async function itemEvent(
  tx: Pick<Transaction, 'all'>,
  itemId: number,
): Promise<{ homeId: string; itemId: number; path: string; owner?: string }> {
  const place = (await locationsOf(tx, [itemId])).get(itemId);
  const homeId = place?.homeId ?? '';
  const [owner] = await accountsOfHome(tx, homeId);
  const path = homePathOf(place?.segments ?? []);
  return { homeId, itemId, path, ...(owner === undefined ? {} : { owner: owner.username }) };
}
