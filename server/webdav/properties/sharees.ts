import { type AccountRecord, displayName } from '../../accounts/account-record.ts';
import { accountsByIds } from '../../accounts/account-rows.ts';
import { groupIdsOf } from '../../accounts/group-rows.ts';
import { sees, seesGroup } from '../../accounts/permissions/administration.ts';
import type { DavContext } from '../context.ts';
import { NEXTCLOUD } from '../xml/xml-tree.ts';
import type { PropertyName } from './requested.ts';
import { SHARE_TYPES } from './share-types.ts';

/** Someone with whom the caller shares an item. */
interface Sharee {
  /** A user name, or the number of a group: as in the share dialog of apps. */
  readonly id: string;
  readonly name: string;
  readonly type: number;
}

/** Those with whom the caller shares items, by the uuids of the items. */
export type Sharees = Readonly<Record<string, readonly Sharee[]>>;

export function isSharees({ namespace, name }: PropertyName): boolean {
  return namespace === NEXTCLOUD && name === 'sharees';
}

/** With whom an account shares items itself. Whom it may no longer know of is left out. */
export async function shareesOf({ files }: Pick<DavContext, 'files'>, account: AccountRecord): Promise<Sharees> {
  const { database, access } = files;
  const shares = await access.shared.sharedBy(account);
  if (shares.length === 0) return {};
  const uids = shares.flatMap(({ recipient }) => recipient.uid ?? []);
  const ids = (values: readonly (number | null)[]) =>
    JSON.stringify([...new Set(values)].filter((one) => one !== null));
  const [items, people, groups, members] = await Promise.all([
    database.all<{ id: number; uuid: string }>(
      'SELECT id, uuid FROM items WHERE id IN (SELECT value FROM json_each(?))',
      [ids(shares.map(({ itemId }) => itemId))],
    ),
    accountsByIds(database, uids),
    database.all<{ id: number; name: string }>(
      'SELECT id, name FROM groups WHERE id IN (SELECT value FROM json_each(?))',
      [ids(shares.map(({ recipient }) => recipient.gid))],
    ),
    groupIdsOf(database, [account.id, ...uids]),
  ]);
  const groupsOf = (id: number) => members.get(id) ?? [];
  const known = new Map<string, Sharee>();
  for (const other of people) {
    if (!sees(account, { ...other, groupIds: groupsOf(other.id) })) continue;
    known.set(`u${other.id}`, { id: other.username, name: displayName(other), type: SHARE_TYPES.user });
  }
  for (const { id, name } of groups) {
    if (!seesGroup(account, id, groupsOf(account.id))) continue;
    known.set(`g${id}`, { id: String(id), name, type: SHARE_TYPES.group });
  }
  const uuids = new Map(items.map(({ id, uuid }) => [id, uuid]));
  const sharees: Record<string, Sharee[]> = {};
  for (const { itemId, recipient } of shares) {
    const [uuid, sharee] = [
      uuids.get(itemId),
      known.get(recipient.uid === null ? `g${recipient.gid}` : `u${recipient.uid}`),
    ];
    if (uuid === undefined || sharee === undefined || sharees[uuid]?.includes(sharee)) continue;
    sharees[uuid] = [...(sharees[uuid] ?? []), sharee];
  }
  return sharees;
}
