import type { AccountsTransaction, Database } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import type { Actor, Events } from '../../lib/events.ts';
import { t } from '../../messages/messages.ts';
import { homeTemplateProblem } from '../home-template.ts';
import { labelName } from '../label-names.ts';
import { type Permissions, sparsePermissions, storedPermissions } from './permissions.ts';
import { roleModel } from './role.model.ts';

/** A named set of permissions, which replaces the own ones of its accounts. The superuser has no role. */
export interface RoleRecord {
  readonly id: number;
  readonly name: string;
  readonly permissions: Permissions;
  /** The location of its accounts' homes; empty: the default. */
  readonly homeTemplate: string;
  /** How many accounts have it. */
  readonly accounts: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

interface NewRole {
  readonly name: string;
  /** Omitted permissions have their default. */
  readonly permissions: Partial<Permissions>;
  readonly homeTemplate: string;
}

export interface Roles {
  /** Sorted by name. */
  list(): Promise<RoleRecord[]>;
  byId(id: number, within?: AccountsTransaction): Promise<RoleRecord | null>;
  /** @throws FieldProblem `name`, `permissions.<name>`, `homeTemplate` */
  add(role: NewRole, by: Actor): Promise<RoleRecord>;
  /**
   * Changes the given fields, for all accounts with the role at once. Permissions are replaced as a whole: omitted ones get their
   * default.
   * @returns null when there is no such role @throws FieldProblem like `add`
   */
  update(id: number, changes: Partial<NewRole>, by: Actor): Promise<RoleRecord | null>;
  /**
   * @param force also while accounts have it: they get their own permissions back
   * @returns the removed role, or null @throws FieldProblem `id` while accounts have it
   */
  remove(id: number, options: { readonly force: boolean }, by: Actor): Promise<RoleRecord | null>;
}

interface RoleRow {
  id: number;
  name: string;
  permissions: string;
  home_template: string;
  accounts: number;
  created_at: number;
}

const SELECT = `SELECT id, name, permissions, home_template, created_at,
  (SELECT count(*) FROM accounts WHERE role_id = roles.id) AS accounts FROM roles`;

export function createRoles(database: Database, clock: Clock, events: Events): Roles {
  async function read(reader: Pick<AccountsTransaction, 'get'>, id: number): Promise<RoleRecord | null> {
    const row = await reader.get<RoleRow>(`${SELECT} WHERE id = ?`, [id]);
    return row === undefined ? null : roleOf(row);
  }

  async function refuseTaken(fold: string, exceptId: number, tx: AccountsTransaction): Promise<void> {
    if ((await tx.get('SELECT 1 FROM roles WHERE name_fold = ? AND id <> ?', [fold, exceptId])) !== undefined) {
      throw new FieldProblem('name', t('api.roles.nameInUse'));
    }
  }

  return {
    list: async () => (await database.all<RoleRow>(`${SELECT} ORDER BY name_fold, id`)).map(roleOf),

    byId: (id, within) => read(within ?? database, id),

    async add(role, by) {
      const { name, fold } = labelName('name', role.name);
      const values = {
        ...{ name, nameFold: fold, createdAt: clock.now() },
        permissions: sparsePermissions(role.permissions),
        homeTemplate: checkedTemplate(role.homeTemplate),
      };
      await database.loadModels();
      return database.write(async (tx) => {
        await refuseTaken(fold, 0, tx);
        const { id } = await (await tx.model(roleModel)).create(values);
        tx.afterCommit(() => events.emit('role.created', { actor: by, roleId: id, name }));
        return written(await read(tx, id));
      });
    },

    async update(id, { name, permissions, homeTemplate }, by) {
      const given = name === undefined ? null : labelName('name', name);
      const values = {
        ...(given === null ? {} : { name: given.name, nameFold: given.fold }),
        ...(permissions === undefined ? {} : { permissions: sparsePermissions(permissions) }),
        ...(homeTemplate === undefined ? {} : { homeTemplate: checkedTemplate(homeTemplate) }),
      };
      await database.loadModels();
      // Accounts are cached together with their role, so this write invalidates them.
      return database.write(async (tx) => {
        const role = await read(tx, id);
        if (role === null) return null;
        if (given !== null) await refuseTaken(given.fold, id, tx);
        if (Object.keys(values).length > 0) await (await tx.model(roleModel)).update(values, { where: { id } });
        const after = written(await read(tx, id));
        const fields = changedFields(role, after);
        if (fields.length > 0) {
          tx.afterCommit(() => events.emit('role.changed', { actor: by, roleId: id, name: after.name, fields }));
        }
        return after;
      });
    },

    async remove(id, { force }, by) {
      await database.loadModels();
      return database.write(async (tx) => {
        const role = await read(tx, id);
        if (role === null) return null;
        if (role.accounts > 0 && !force) {
          throw new FieldProblem('id', t('api.roles.inUse', { count: role.accounts }));
        }
        await (await tx.model(roleModel)).destroy({ where: { id } });
        const { name, accounts } = role;
        tx.afterCommit(() => events.emit('role.removed', { actor: by, roleId: id, name, accounts }));
        return role;
      });
    },
  };
}

function roleOf(row: RoleRow): RoleRecord {
  return {
    id: row.id,
    name: row.name,
    permissions: storedPermissions(row.permissions),
    homeTemplate: row.home_template,
    accounts: row.accounts,
    createdAt: row.created_at,
  };
}

function checkedTemplate(template: string): string {
  const problem = homeTemplateProblem(template.trim());
  if (problem !== null) throw new FieldProblem('homeTemplate', problem);
  return template.trim();
}

function changedFields(before: RoleRecord, after: RoleRecord): string[] {
  const fields = (['name', 'homeTemplate'] as const).filter((field) => before[field] !== after[field]);
  const permissions = (Object.keys(after.permissions) as (keyof Permissions)[]).filter(
    (permission) => before.permissions[permission] !== after.permissions[permission],
  );
  return [...fields, ...permissions];
}

function written(role: RoleRecord | null): RoleRecord {
  if (role === null) throw new Error('the role that was just written is not there');
  return role;
}
