import type { SqlValue } from '../database/database.ts';
import {
  accountsNamed,
  GIVEN_BY,
  groupsNamed,
  itemEvent,
  NAMED_BY_TEXT,
  SHARED_OR_LINKED_COLUMNS,
  type SharedOrLinkedItem,
  type SharedOrLinkedRow,
  type SharesAndLinksQuery,
  sharedOrLinkedFrom,
  sharedOrLinkedItems,
} from '../files/shares-and-links-query.ts';
import type { Actor } from '../lib/events.ts';
import { searchFold } from '../lib/names/names.ts';
import { SHARE_FLAGS, type ShareRecord, type ShareRow, shareOf } from '../shares/share-record.ts';
import type { SharingContext } from './context.ts';
import { removeUnusedGuests } from './guests.ts';
import { type NamedRecipient, namedRecipient } from './recipients.ts';

export interface ListedShare {
  readonly share: ShareRecord;
  readonly item: SharedOrLinkedItem;
  readonly by: { readonly id: number; readonly username: string };
  readonly to: NamedRecipient;
}

const FROM = sharedOrLinkedFrom('shares', 'sharer_id');
/** With ?4 the ids of the groups whose names fit the text. */
const FITS = `(${NAMED_BY_TEXT} OR given.uid IN (SELECT value FROM json_each(?3))
   OR given.gid IN (SELECT value FROM json_each(?4))) AND ${GIVEN_BY}`;

/** The shares of all accounts, newest first, and how many match. */
export async function allShares(
  context: SharingContext,
  { text, by, before = Number.MAX_SAFE_INTEGER, limit }: SharesAndLinksQuery,
): Promise<{ shares: ListedShare[]; total: number; next: number | null }> {
  const { database } = context;
  const fold = searchFold(text);
  const named = await Promise.all([accountsNamed(database, fold), groupsNamed(database, fold)]);
  const params: SqlValue[] = [fold, by ?? null, ...named];
  const [rows, counted] = await Promise.all([
    database.all<ShareRow & SharedOrLinkedRow>(
      `SELECT given.*, ${SHARED_OR_LINKED_COLUMNS} ${FROM} WHERE given.id < ?5 AND ${FITS} ORDER BY given.id DESC LIMIT ?6`,
      [...params, before, limit],
    ),
    database.get<{ count: number }>(`SELECT count(*) AS count ${FROM} WHERE ${FITS}`, params),
  ]);
  const items = await sharedOrLinkedItems(database, rows);
  const recipients = new Map<string, NamedRecipient | null>();
  const shares: ListedShare[] = [];
  for (const row of rows) {
    const [item, share] = [items.get(row.item_id), shareOf(row)];
    // There are few recipients for many shares.
    const key = `${row.uid} ${row.gid}`;
    const to = recipients.get(key) ?? (await namedRecipient(context, share.recipient));
    recipients.set(key, to);
    if (item !== undefined && to !== null) {
      shares.push({ share, item, to, by: { id: row.by_id, username: row.by_username } });
    }
  }
  return { shares, total: counted?.count ?? 0, next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

/** Ends shares of any account, for the owner; guests without further shares are removed. @returns how many existed */
export async function endShares(context: SharingContext, ids: readonly number[], actor: Actor): Promise<number> {
  const { accountsDatabase, shares, events, settings } = context;
  const ended = await accountsDatabase.write(async (tx) => {
    const found: ShareRecord[] = [];
    for (const id of new Set(ids)) {
      // One that derived from another of them has ended with it.
      const share = await shares.byId(id, tx);
      if (share === null) continue;
      const [event, to] = [await itemEvent(tx, share.itemId), await namedRecipient(context, share.recipient, tx)];
      await shares.remove(tx, id);
      found.push(share);
      const rights = SHARE_FLAGS.filter((flag) => share.flags[flag]);
      tx.afterCommit(() =>
        events.emit('share.removed', {
          ...{ actor, ...event, shareId: id, to: to?.name ?? '', kind: to?.kind ?? 'user' },
          rights: share.isAnonymous ? ['anonymous', ...rights] : rights,
        }),
      );
    }
    return found;
  });
  if (ended.some(({ recipient }) => recipient.uid !== null)) {
    await removeUnusedGuests(context, settings.values.guestsKeptDays, actor);
  }
  return ended.length;
}
