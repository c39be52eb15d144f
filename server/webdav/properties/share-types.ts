import type { AccountRecord } from '../../accounts/account-record.ts';
import { linkEnd } from '../../weblinks/link-end.ts';
import type { DavContext } from '../context.ts';
import { OWNCLOUD } from '../xml/xml-tree.ts';
import type { PropertyName } from './requested.ts';

/** The kinds of shares, by their numbers in apps made for Nextcloud (developer manual, OCS Share API). */
export const SHARE_TYPES = { user: 0, group: 1, link: 3 } as const;

/** The kinds in which the caller shares items, by their uuids, in ascending order. */
export type ShareTypes = Readonly<Record<string, readonly number[]>>;

export function isShareTypes({ namespace, name }: PropertyName): boolean {
  return namespace === OWNCLOUD && name === 'share-types';
}

/** What an account shares with people and groups, and by links that have not ended. */
export async function shareTypesOf({ files, listing }: DavContext, account: AccountRecord): Promise<ShareTypes> {
  const { database, clock, access } = files;
  const [standing, links] = await Promise.all([access.shared.sharedBy(account), listing.links.by(account.id)]);
  const linked = links.filter((link) => linkEnd(link, clock.now()) === null);
  const rows = await database.all<{ uuid: string; type: number }>(
    `SELECT DISTINCT items.uuid, iif(s.uid IS NULL, ?2, ?1) AS type
       FROM shares s JOIN items ON items.id = s.item_id
       WHERE s.sharer_id = ?4 AND s.item_id IN (SELECT value FROM json_each(?5))
     UNION SELECT uuid, ?3 FROM items WHERE id IN (SELECT value FROM json_each(?6))
     ORDER BY type`,
    [
      ...[SHARE_TYPES.user, SHARE_TYPES.group, SHARE_TYPES.link, account.id],
      ...[standing, linked].map((some) => JSON.stringify(some.map(({ itemId }) => itemId))),
    ],
  );
  const types: Record<string, number[]> = {};
  for (const { uuid, type } of rows) types[uuid] = [...(types[uuid] ?? []), type];
  return types;
}
