import {
  AccountProblem,
  type AccountRecord,
  type Accounts,
  OWNER_ID,
  type PreparedAccount,
} from '../accounts/accounts.ts';
import type { Groups } from '../accounts/groups.ts';
import { generatePassword } from '../accounts/passwords/generate-password.ts';
import { hashPassword, passwordProblem } from '../accounts/passwords/passwords.ts';
import { deactivationOf } from '../accounts/permissions/account-status.ts';
import { DEFAULT_PERMISSIONS, type Permission, type Permissions } from '../accounts/permissions/permissions.ts';
import type { Roles } from '../accounts/permissions/roles.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { TwoStep } from '../accounts/sign-in/two-step.ts';
import { usernameProblem } from '../accounts/usernames.ts';
import type { AccountsTransaction, Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import type { Actor, Events } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { Tokens } from '../oauth/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { type AccountChanges, type NewAccountInput, textProblem } from './account-changes.ts';
import type { CreatedHome, HomeFolders } from './homes/home-folders.ts';
import { shownHomePath } from './homes/home-path.ts';

/** The account after a change, for checks of the rules. */
interface Outcome {
  /** Null for a new account. */
  readonly before: AccountRecord | null;
  readonly after: AccountRecord;
  readonly groupIds: { readonly before: readonly number[]; readonly after: readonly number[] };
}

/** Checks inside of the transaction, on its data. Throws to refuse: then nothing changes. */
export type OutcomeRules = (outcome: Outcome, tx: AccountsTransaction) => Promise<void>;

/** The actor, and the rules that apply. */
export interface Authority {
  readonly actor: Actor;
  readonly by: 'api' | 'owner';
  readonly checkOutcome: OutcomeRules;
  /** The location of a new home by default; empty: below `homes`. */
  readonly homeTemplate: string;
  /** The default permissions of a new account. */
  readonly defaults: Permissions;
}

export interface ManageAccounts {
  /** @throws AccountProblem for an invalid value; nothing is left then */
  add(
    input: NewAccountInput,
    authority: Authority,
  ): Promise<{ account: AccountRecord; generatedPassword: string | null }>;
  /** @returns null when the account was deleted meanwhile @throws AccountProblem; then nothing changes */
  edit(
    id: number,
    changes: AccountChanges,
    authority: Authority,
  ): Promise<{ account: AccountRecord; generatedPassword: string | null } | null>;
  /**
   * Deletes an account; its files stay unless requested otherwise.
   * @returns null when it does not exist; otherwise why its home could not be removed as requested, or null
   */
  remove(
    id: number,
    options: { deleteHomeFolder: boolean },
    authority: Authority,
  ): Promise<{ homeProblem: string | null } | null>;
}

interface ManageParts {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly groups: Groups;
  readonly roles: Roles;
  readonly homeFolders: HomeFolders;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly twoStep: TwoStep;
  readonly settings: Settings;
  readonly events: Events;
  readonly clock: Clock;
}

export function createManageAccounts(parts: ManageParts): ManageAccounts {
  const { database, accounts, groups, homeFolders, sessions, tokens, twoStep, settings, events, clock } = parts;

  const isDeactivated = (account: AccountRecord) => deactivationOf(account, clock.now()) !== null;

  /** The hash of a given or generated password; null when there is none. */
  async function newPassword(changes: AccountChanges, username: string) {
    const minLength = settings.values.passwordMinLength;
    const generated = changes.generatePassword === true ? generatePassword(minLength) : null;
    const password = generated ?? (changes.password || null);
    if (password === null) return { passwordHash: null, generated };
    const problem = passwordProblem(password, username, minLength);
    if (problem !== null) throw new AccountProblem('password', problem);
    return { passwordHash: await hashPassword(password), generated };
  }

  /** Creates the requested home, if any, for an account without one. */
  async function newHome(
    changes: AccountChanges,
    account: HomeOwner,
    authority: Authority,
  ): Promise<CreatedHome | null> {
    const { by } = authority;
    if (typeof changes.homeFolder === 'string') {
      const path = await homeFolders.location({ path: changes.homeFolder, account, by });
      // Existing files are adopted only on explicit request.
      const adopt = by === 'owner' && changes.adoptHomeFolder === true;
      // Apps name an existing folder; otherwise they request its creation (§2.8, §4.2).
      return homeFolders.create(path, { adopt, mustExist: by === 'api' && changes.createHomeFolder !== true, by });
    }
    const role = typeof changes.roleId === 'number' ? await parts.roles.byId(changes.roleId) : null;
    if (account.hasHome || (changes.createHomeFolder !== true && role === null)) return null;
    const template = role !== null && role.homeTemplate !== '' ? role.homeTemplate : authority.homeTemplate;
    const where = template === '' ? { account, by } : { template, account, by };
    return homeFolders.create(await homeFolders.location(where), { adopt: false, by });
  }

  /** Apps send all fields of an account back: the home it already has is not a change. */
  async function withoutSameHome(changes: AccountChanges, homeId: string | null): Promise<AccountChanges> {
    if (typeof changes.homeFolder !== 'string' || homeId === null) return changes;
    const home = await homeFolders.byId(homeId);
    if (home === null || shownHomePath(home.homeRoot.root) !== changes.homeFolder) return changes;
    const { homeFolder: _same, ...others } = changes;
    return others;
  }

  /**
   * The same for a block by wrong passwords: `activated` is 0 while it lasts, and an app that sends it back with other fields
   * does not mean to deactivate the account. Sent alone it does. The owner's side never
   * sends a block back: its panel sends what was changed, and its tables have what an administrator decided.
   */
  function withoutEchoedBlock(changes: AccountChanges, account: AccountRecord, by: Authority['by']): AccountChanges {
    const isEcho = by === 'api' && changes.activated === false && !account.isSwitchedOff && isDeactivated(account);
    if (!isEcho || Object.keys(changes).length === 1) return changes;
    const { activated: _echoed, ...others } = changes;
    return others;
  }

  /**
   * Whether the accounts and roles that an account refers to may be referred to. Before anything is created for it, and again in the
   * transaction.
   * @param id null for a new account
   */
  async function checkReferences(
    { ownerId, roleId }: AccountChanges,
    id: number | null,
    within?: AccountsTransaction,
  ): Promise<void> {
    if (typeof ownerId === 'number') {
      const owner = await accounts.byId(ownerId, within);
      if (owner === null || owner.id === id || owner.permissions.admin_type !== 'indep') {
        throw new AccountProblem('ownerId', t('api.accounts.notIndependent'));
      }
    }
    if (typeof roleId === 'number' && (await parts.roles.byId(roleId, within)) === null) {
      throw new AccountProblem('roleId', t('api.roles.notFound'));
    }
  }

  async function apply(
    tx: AccountsTransaction,
    id: number,
    changes: AccountChanges,
    { passwordHash, home, defaults, actor }: Applied,
  ): Promise<void> {
    const before = await accounts.byId(id, tx);
    if (before === null) throw new Error('the account is gone in the middle of its change');
    await checkReferences(changes, id, tx);
    const isLeft = before.homeId !== null && (home !== null || changes.homeFolder === null);
    if (isLeft && before.homeId !== null) await homeFolders.release(before.homeId, before.username, actor, tx);
    // Its row must exist before the account refers to it.
    await home?.record(tx);
    const permissions = { ...(defaults ?? before.ownPermissions), ...changes.permissions };
    await accounts.write(
      id,
      {
        ...changes,
        permissions,
        ...(home === null ? (changes.homeFolder === null ? { homeId: null } : {}) : { homeId: home.homeId }),
      },
      tx,
    );
    if (changes.groups !== undefined) {
      const ownerId = changes.ownerId === undefined ? before.ownerId : changes.ownerId;
      await groups.setMemberships(id, changes.groups, ownerId, tx, actor);
    }
    if (passwordHash !== null) {
      await accounts.setPassword(id, passwordHash, { liftLock: false }, tx);
      // The administrator requires a change of the password being set.
      if (changes.requirePasswordChange === true) await accounts.write(id, { requirePasswordChange: true }, tx);
    }
    if (changes.twoStepEnabled === false) await twoStep.disable(id, tx);
  }

  return {
    async add(input, authority) {
      refuseTexts(input);
      await checkReferences(input, null);
      const { username, name } = input;
      const { passwordHash, generated } = await newPassword(input, username);
      const prepared: PreparedAccount = await accounts.prepare({
        type: 'user',
        username,
        name,
        homeId: null,
        passwordHash,
      });
      const whose = { username, name, email: input.email ?? '', company: input.company ?? '', hasHome: false };
      const home = await newHome(input, whose, authority);
      try {
        const account = await database.write(async (tx) => {
          const added = await accounts.add(prepared, authority.actor, tx);
          await apply(tx, added.id, input, {
            passwordHash: null,
            home,
            defaults: authority.defaults,
            actor: authority.actor,
          });
          const after = await accounts.byId(added.id, tx);
          if (after === null) throw new Error('the account that was just added is not there');
          const groupIds = { before: [], after: await groups.idsOf(added.id, tx) };
          await authority.checkOutcome({ before: null, after, groupIds }, tx);
          return after;
        });
        return { account, generatedPassword: generated };
      } finally {
        await home?.undo();
      }
    },

    async edit(id, requested, authority) {
      refuseTexts(requested);
      await checkReferences(requested, id);
      const account = await accounts.byId(id);
      if (account === null) return null;
      const changes = withoutEchoedBlock(await withoutSameHome(requested, account.homeId), account, authority.by);
      refuseLockout(id, changes);
      if (account.type === 'guest') refuseForGuest(changes);
      const username = changes.username ?? account.username;
      const nameProblem = changes.username === undefined ? null : usernameProblem(changes.username);
      if (nameProblem !== null) throw new AccountProblem('username', nameProblem);
      const { passwordHash, generated } = await newPassword(changes, username);
      const whose = { ...account, ...changes, username, hasHome: account.homeId !== null };
      const { name, email, company, hasHome } = whose;
      const home = await newHome(changes, { username, name, email, company, hasHome }, authority);
      try {
        const edited = await database.write(async (tx) => {
          const before = await accounts.byId(id, tx);
          if (before === null) return null;
          const groupsBefore = await groups.idsOf(id, tx);
          // It was made because the account had none, which may have changed.
          const isSurplus = before.homeId !== null && typeof changes.homeFolder !== 'string';
          const given = isSurplus ? null : home;
          await apply(tx, id, changes, { passwordHash, home: given, defaults: null, actor: authority.actor });
          const after = await accounts.byId(id, tx);
          if (after === null) return null;
          const groupIds = { before: groupsBefore, after: await groups.idsOf(id, tx) };
          await authority.checkOutcome({ before, after, groupIds }, tx);
          const isShut = after.isSwitchedOff && !before.isSwitchedOff;
          // Anyone who knew the old password, or may no longer act, loses access at once.
          if (passwordHash !== null || isShut) {
            await sessions.endOthers(id, null, tx);
            // Programs are refused while the account is deactivated, and need not be set up again once it is activated.
            await tokens.revokeAll(id, passwordHash === null ? { appPasswords: 'all' } : {}, tx);
          }
          tx.afterCommit(() => tell(before, after, changes, authority.actor));
          return after;
        });
        return edited === null ? null : { account: edited, generatedPassword: generated };
      } finally {
        // Also after a success, for a home that the account did not get.
        await home?.undo();
      }
    },

    async remove(id, { deleteHomeFolder }, authority) {
      if (id === OWNER_ID) throw new AccountProblem('id', t('api.accounts.deleteOwner'));
      const removed = await database.write(async (tx) => {
        const before = await accounts.byId(id, tx);
        if (before === null) return null;
        const groupIds = await groups.idsOf(id, tx);
        await authority.checkOutcome({ before, after: before, groupIds: { before: groupIds, after: groupIds } }, tx);
        const { actor } = authority;
        if (before.homeId !== null) await homeFolders.release(before.homeId, before.username, actor, tx);
        const guests = await tx.all<Named>('SELECT id, username FROM accounts WHERE guest_of = ?', [id]);
        await tx.run('DELETE FROM accounts WHERE id = ?', [id]);
        // Including its guests.
        for (const gone of [{ id, username: before.username }, ...guests]) {
          const event = { actor, accountId: gone.id, username: gone.username };
          tx.afterCommit(() => events.emit('account.deleted', event));
        }
        return before;
      });
      if (removed === null) return null;
      if (removed.homeId === null || !deleteHomeFolder) return { homeProblem: null };
      try {
        await homeFolders.moveToTrash(removed.homeId, removed.username, authority.actor);
        return { homeProblem: null };
      } catch (error) {
        // The account is deleted, and its home orphaned: the owner can still handle it.
        if (error instanceof FieldProblem) return { homeProblem: error.message };
        throw error;
      }
    },
  };

  function tell(before: AccountRecord, after: AccountRecord, changes: AccountChanges, actor: Actor): void {
    const { id: accountId, username } = after;
    if (isDeactivated(before) && !isDeactivated(after))
      events.emit('account.activated', { actor, accountId, username });
    if (after.isSwitchedOff && !before.isSwitchedOff) {
      events.emit('account.deactivated', { actor, accountId, username, reason: 'administrator' });
    }
    const fields = Object.keys(changes).filter((field) => field !== 'activated' && field !== 'permissions');
    const permissions = Object.keys(changes.permissions ?? {}) as Permission[];
    const changed = [
      ...fields,
      ...permissions
        .filter((name) => before.ownPermissions[name] !== after.ownPermissions[name])
        .map((name) => `perms[${name}]`),
    ];
    if (changed.length > 0) events.emit('account.changed', { actor, accountId, username, fields: changed });
  }
}

function refuseTexts(changes: AccountChanges): void {
  const problem = textProblem(changes);
  if (problem !== null) throw problem;
}

/** Prevents the owner from being locked out. */
function refuseLockout(id: number, changes: AccountChanges): void {
  if (id !== OWNER_ID) return;
  if (changes.activated === false) throw new AccountProblem('activated', t('api.accounts.ownerDisable'));
  if (typeof changes.expiresAt === 'number') throw new AccountProblem('expiresAt', t('api.accounts.ownerExpire'));
  if (typeof changes.roleId === 'number') throw new AccountProblem('roleId', t('api.accounts.ownerRole'));
  if (typeof changes.ownerId === 'number') throw new AccountProblem('ownerId', t('api.accounts.ownerOwner'));
  if (changes.homeFolder === null) throw new AccountProblem('homeFolder', t('api.accounts.ownerHome'));
  const differing = Object.entries(changes.permissions ?? {}).find(
    ([name, value]) => value !== DEFAULT_PERMISSIONS[name as Permission],
  );
  if (differing !== undefined)
    throw new AccountProblem('permissions', t('api.accounts.ownerPermission', { permission: differing[0] }));
}

/** A guest signs in with a private link, for one person, and has no files here. */
function refuseForGuest(changes: AccountChanges): void {
  if (changes.password) throw new AccountProblem('password', t('api.guests.password'));
  if (changes.generatePassword) throw new AccountProblem('generatePassword', t('api.guests.password'));
  if (changes.requirePasswordChange) throw new AccountProblem('requirePasswordChange', t('api.guests.password'));
  if (changes.twoStepEnabled) throw new AccountProblem('twoStepEnabled', t('api.guests.twoStep'));
  if (typeof changes.homeFolder === 'string') throw new AccountProblem('homeFolder', t('api.guests.homeFolder'));
  if (changes.createHomeFolder) throw new AccountProblem('createHomeFolder', t('api.guests.homeFolder'));
  if (typeof changes.roleId === 'number') throw new AccountProblem('roleId', t('api.guests.role'));
  if ((changes.groups?.length ?? 0) > 0) throw new AccountProblem('groups', t('api.guests.group'));
  if (changes.permissions?.admin_type) throw new AccountProblem('permissions', t('api.guests.administrator'));
}

interface Named {
  readonly id: number;
  readonly username: string;
}

interface Applied {
  readonly passwordHash: string | null;
  readonly home: CreatedHome | null;
  /** For a new account. */
  readonly defaults: Permissions | null;
  readonly actor: Actor;
}

interface HomeOwner {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly company: string;
  readonly hasHome: boolean;
}
