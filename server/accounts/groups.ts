import type { AccountsTransaction, Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import { type Actor, type Events, LARDER } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import { groupModel } from './group.model.ts';
import { groupIdsOf } from './group-rows.ts';
import { type LabelName, labelName } from './label-names.ts';

export interface GroupRecord {
  readonly id: number;
  readonly name: string;
  /** The independent administrator whose group it is; null for one of the household. */
  readonly ownerId: number | null;
  readonly members: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface Groups {
  idsOf(accountId: number, within?: AccountsTransaction): Promise<readonly number[]>;
  /** The ids of the groups with these names, by the given name; unknown names are left out. */
  idsNamed(names: readonly string[], ownerId: number | null): Promise<Map<string, number>>;
  /** Sorted by name. */
  namesOf(accountId: number): Promise<string[]>;
  /**
   * Puts an account into exactly these groups of the household (`ownerId` null) or of an independent administrator; its groups of
   * other owners stay. Missing groups are created.
   * @param by the actor, for the activity log
   * @throws FieldProblem `groups`
   */
  setMemberships(
    accountId: number,
    names: readonly string[],
    ownerId: number | null,
    tx: AccountsTransaction,
    by?: Actor,
  ): Promise<void>;
  /** Sorted by name. @param of all groups by default; null means the household */
  list(of?: { readonly ownerId?: number | null }): Promise<GroupRecord[]>;
  byId(id: number, within?: AccountsTransaction): Promise<GroupRecord | null>;
  /** @throws FieldProblem `name` */
  add(group: { name: string; ownerId?: number | null }, by: Actor): Promise<GroupRecord>;
  /** @returns null when there is no such group @throws FieldProblem `name` */
  rename(id: number, name: string, by: Actor): Promise<GroupRecord | null>;
  /** @returns the group that was removed, or null */
  remove(id: number, by: Actor): Promise<GroupRecord | null>;
  /** The ids of its accounts, smallest first. */
  membersOf(id: number): Promise<number[]>;
  /** Sets exactly these members. @returns null when there is no such group @throws FieldProblem `accountIds` */
  setMembers(id: number, accountIds: readonly number[], by: Actor): Promise<GroupRecord | null>;
}

/** Most groups of one owner for an account. */
const MAX_GROUPS = 200;

type Reader = Pick<AccountsTransaction, 'get' | 'all'>;

interface GroupRow {
  id: number;
  name: string;
  owner_id: number | null;
  members: number;
  created_at: number;
}

const SELECT = `SELECT id, name, owner_id, created_at, (SELECT count(*) FROM group_members WHERE group_id = groups.id) AS members
  FROM groups`;

export function createGroups(database: Database, clock: Clock, events: Events): Groups {
  async function read(reader: Reader, id: number): Promise<GroupRecord | null> {
    const row = await reader.get<GroupRow>(`${SELECT} WHERE id = ?`, [id]);
    return row === undefined ? null : groupOf(row);
  }

  async function withName(
    { fold }: LabelName,
    ownerId: number | null,
    tx: AccountsTransaction,
  ): Promise<number | null> {
    const row = await tx.get<{ id: number }>(
      'SELECT id FROM groups WHERE name_fold = ? AND coalesce(owner_id, 0) = coalesce(?, 0)',
      [fold, ownerId],
    );
    return row?.id ?? null;
  }

  async function insert({ name, fold }: LabelName, ownerId: number | null, by: Actor, tx: AccountsTransaction) {
    const values = { name, nameFold: fold, ownerId, createdAt: clock.now() };
    const { id: groupId } = await (await tx.model(groupModel)).create(values);
    tx.afterCommit(() => events.emit('group.created', { actor: by, groupId, name }));
    return groupId;
  }

  return {
    idsOf: async (accountId, within) => (await groupIdsOf(within ?? database, [accountId])).get(accountId) ?? [],

    async idsNamed(names, ownerId) {
      const rows = await database.all<{ id: number; name_fold: string }>(
        'SELECT id, name_fold FROM groups WHERE coalesce(owner_id, 0) = coalesce(?, 0)',
        [ownerId],
      );
      const byFold = new Map(rows.map(({ id, name_fold: fold }) => [fold, id]));
      const found = names.map((name) => [name, byFold.get(labelName('groups', name).fold)] as const);
      return new Map(found.filter((entry): entry is [string, number] => entry[1] !== undefined));
    },

    namesOf: async (accountId) =>
      (
        await database.all<{ name: string }>(
          'SELECT name FROM groups JOIN group_members ON group_id = id WHERE account_id = ? ORDER BY name_fold, id',
          [accountId],
        )
      ).map(({ name }) => name),

    async setMemberships(accountId, names, ownerId, tx, by = LARDER) {
      const requested = new Map<string, LabelName>();
      for (const text of names) {
        const name = labelName('groups', text);
        if (!requested.has(name.fold)) requested.set(name.fold, name);
      }
      if (requested.size > MAX_GROUPS) {
        throw new FieldProblem('groups', t('api.groups.tooMany', { max: MAX_GROUPS }));
      }
      const ids: number[] = [];
      for (const name of requested.values()) {
        ids.push((await withName(name, ownerId, tx)) ?? (await insert(name, ownerId, by, tx)));
      }
      const kept = JSON.stringify(ids);
      await tx.run(
        `DELETE FROM group_members WHERE account_id = ?1 AND group_id NOT IN (SELECT value FROM json_each(?2))
           AND group_id IN (SELECT id FROM groups WHERE coalesce(owner_id, 0) = coalesce(?3, 0))`,
        [accountId, kept, ownerId],
      );
      await tx.run('INSERT OR IGNORE INTO group_members (group_id, account_id) SELECT value, ?2 FROM json_each(?1)', [
        kept,
        accountId,
      ]);
    },

    async list({ ownerId } = {}) {
      const where = ownerId === undefined ? '' : 'WHERE coalesce(owner_id, 0) = coalesce(?, 0)';
      const rows = await database.all<GroupRow>(
        `${SELECT} ${where} ORDER BY name_fold, id`,
        ownerId === undefined ? [] : [ownerId],
      );
      return rows.map(groupOf);
    },

    byId: (id, within) => read(within ?? database, id),

    async add({ name, ownerId = null }, by) {
      const given = labelName('name', name);
      await database.loadModels();
      return database.write(async (tx) => {
        if ((await withName(given, ownerId, tx)) !== null) throw nameTaken();
        if (ownerId !== null && (await tx.get('SELECT 1 FROM accounts WHERE id = ?', [ownerId])) === undefined) {
          throw new FieldProblem('ownerId', t('api.accounts.notFound'));
        }
        return written(await read(tx, await insert(given, ownerId, by, tx)));
      });
    },

    async rename(id, name, by) {
      const given = labelName('name', name);
      await database.loadModels();
      return database.write(async (tx) => {
        const group = await read(tx, id);
        if (group === null || group.name === given.name) return group;
        const other = await withName(given, group.ownerId, tx);
        if (other !== null && other !== id) throw nameTaken();
        await (await tx.model(groupModel)).update({ name: given.name, nameFold: given.fold }, { where: { id } });
        tx.afterCommit(() =>
          events.emit('group.changed', {
            actor: by,
            groupId: id,
            name: given.name,
            fields: ['name'],
            from: group.name,
          }),
        );
        return { ...group, name: given.name };
      });
    },

    async remove(id, by) {
      await database.loadModels();
      return database.write(async (tx) => {
        const group = await read(tx, id);
        if (group === null) return null;
        await (await tx.model(groupModel)).destroy({ where: { id } });
        tx.afterCommit(() => events.emit('group.removed', { actor: by, groupId: id, name: group.name }));
        return group;
      });
    },

    membersOf: async (id) =>
      (
        await database.all<{ id: number }>(
          'SELECT account_id AS id FROM group_members WHERE group_id = ? ORDER BY account_id',
          [id],
        )
      ).map((row) => row.id),

    setMembers: (id, accountIds, by) =>
      database.write(async (tx) => {
        const group = await read(tx, id);
        if (group === null) return null;
        const requested = JSON.stringify([...new Set(accountIds)]);
        const unknown = await tx.get<{ id: number }>(
          'SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT id FROM accounts) LIMIT 1',
          [requested],
        );
        if (unknown !== undefined) {
          throw new FieldProblem('accountIds', t('api.accounts.unknownId', { id: unknown.id }));
        }
        const guest = await tx.get<{ username: string }>(
          "SELECT username FROM accounts WHERE id IN (SELECT value FROM json_each(?)) AND type = 'guest' LIMIT 1",
          [requested],
        );
        if (guest !== undefined) {
          throw new FieldProblem('accountIds', t('api.groups.guest', { username: guest.username }));
        }
        await tx.run(
          'DELETE FROM group_members WHERE group_id = ? AND account_id NOT IN (SELECT value FROM json_each(?))',
          [id, requested],
        );
        await tx.run('INSERT OR IGNORE INTO group_members (group_id, account_id) SELECT ?, value FROM json_each(?)', [
          id,
          requested,
        ]);
        tx.afterCommit(() =>
          events.emit('group.changed', { actor: by, groupId: id, name: group.name, fields: ['members'], from: null }),
        );
        return written(await read(tx, id));
      }),
  };
}

function groupOf({ id, name, owner_id: ownerId, members, created_at: createdAt }: GroupRow): GroupRecord {
  return { id, name, ownerId, members, createdAt };
}

function nameTaken(): FieldProblem {
  return new FieldProblem('name', t('api.groups.nameInUse'));
}

function written(group: GroupRecord | null): GroupRecord {
  if (group === null) throw new Error('the group that was just written is not there');
  return group;
}
