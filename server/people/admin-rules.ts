import type { AccountRecord } from '../accounts/accounts.ts';
import type { Groups } from '../accounts/groups.ts';
import {
  type Administrator,
  defaultsFrom,
  managesUsers,
  reaches,
  type Subject,
  tooMuch,
} from '../accounts/permissions/administration.ts';
import { ALL, DEFAULT_PERMISSIONS, isAdministrator } from '../accounts/permissions/permissions.ts';
import type { AccountsTransaction } from '../database/database.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { actorOf } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { AccountChanges, NewAccountInput } from './account-changes.ts';
import type { Authority, OutcomeRules } from './manage-accounts.ts';

/** Applies the rules of administration to requests; the rules themselves are in `accounts/permissions/administration.ts`. */
export interface AdminRules {
  /** §5.1: the scope alone gives no rights. @throws ApiError `permission_denied` */
  requireAdministrator(account: AccountRecord): void;
  /** Whether an administrator may know of an account: themselves, and those in reach. */
  maySee(admin: AccountRecord, account: AccountRecord): Promise<boolean>;
  mayManage(admin: AccountRecord, account: AccountRecord): Promise<boolean>;
  /** @throws ApiError when the administrator may not add such an account */
  forNew(principal: Principal, input: NewAccountInput): Promise<{ input: NewAccountInput; authority: Authority }>;
  /** @throws ApiError when the administrator may not change this */
  forChange(
    principal: Principal,
    account: AccountRecord,
    changes: AccountChanges,
  ): Promise<{ input: AccountChanges; authority: Authority }>;
  forRemoval(principal: Principal): Authority;
}

export function createAdminRules({ groups }: { groups: Groups }): AdminRules {
  const subjectOf = (account: AccountRecord, groupIds: readonly number[]): Subject => ({ ...account, groupIds });

  async function mayManage(admin: AccountRecord, account: AccountRecord): Promise<boolean> {
    return reaches(admin, subjectOf(account, await groups.idsOf(account.id)));
  }

  /** Rules for new and changed accounts alike, checked inside of the transaction. */
  function outcomeRules(admin: Administrator): OutcomeRules {
    return async ({ before, after, groupIds }, tx) => {
      if (before !== null && !reaches(admin, subjectOf(before, groupIds.before))) throw noSuchAccount();
      const excess = tooMuch(admin, after.permissions, before?.permissions ?? null);
      if (excess !== null) {
        throw denied(t('api.administration.ownRightsOnly', { permission: excess }), { permission: excess });
      }
      if (!reaches(admin, subjectOf(after, groupIds.after))) {
        throw denied(t('api.administration.outOfReach'));
      }
      if (before === null) await requireRoom(admin, tx);
    };
  }

  function authorityOf(principal: Principal): Authority {
    const admin = principal.account;
    return {
      actor: actorOf(principal, admin),
      by: 'api',
      checkOutcome: outcomeRules(admin),
      homeTemplate: admin.permissions.admin_homefolder_template,
      defaults: defaultsFrom(admin),
    };
  }

  /** The groups that stay and are added: an administrator of some groups changes no other memberships. */
  async function groupsWithin(
    admin: AccountRecord,
    names: readonly string[],
    account: AccountRecord | null,
  ): Promise<readonly string[]> {
    const { admin_type: type, admin_over: over } = admin.permissions;
    if (admin.type === 'superuser' || type === 'indep' || over === ALL) return names;
    const mine = new Set(over.split(','));
    const known = await groups.idsNamed(names, account?.ownerId ?? null);
    const foreign = names.find((name) => !mine.has(`g${known.get(name) ?? 0}`));
    if (foreign !== undefined) throw denied(t('api.administration.otherGroup', { group: foreign.slice(0, 100) }));
    if (account === null) return names;
    const present = await groups.namesOf(account.id);
    const ids = await groups.idsNamed(present, account.ownerId);
    return [...names, ...present.filter((name) => !mine.has(`g${ids.get(name) ?? 0}`))];
  }

  function requireRight(admin: AccountRecord, changes: AccountChanges): void {
    if (admin.type === 'superuser') return;
    if (changes.roleId !== undefined && changes.roleId !== null && !admin.permissions.admin_roles) {
      throw denied(t('api.administration.roles'), {
        permission: 'admin_roles',
      });
    }
    if (changes.homeFolder !== undefined && admin.permissions.admin_type === 'indep') {
      throw denied(t('api.administration.homeFolder'), {
        permission: 'homefolder',
      });
    }
  }

  return {
    requireAdministrator(account) {
      if (isAdministrator(account) && managesUsers(account)) return;
      throw denied(t('api.administration.notAllowed'), { permission: 'admin_users' });
    },

    mayManage,

    maySee: async (admin, account) => admin.id === account.id || mayManage(admin, account),

    async forNew(principal, input) {
      const admin = principal.account;
      requireRight(admin, input);
      const isIndependent = admin.type !== 'superuser' && admin.permissions.admin_type === 'indep';
      const owner = input.ownerId ?? null;
      if (owner !== null && admin.type !== 'superuser' && owner !== admin.id) {
        throw denied(t('api.administration.owner'));
      }
      const named = input.groups === undefined ? {} : { groups: await groupsWithin(admin, input.groups, null) };
      return {
        input: { ...input, ...named, ...(isIndependent ? { ownerId: admin.id } : {}) },
        authority: authorityOf(principal),
      };
    },

    async forChange(principal, account, changes) {
      const admin = principal.account;
      requireRight(admin, changes);
      if (changes.ownerId !== undefined && changes.ownerId !== account.ownerId && admin.type !== 'superuser') {
        throw denied(t('api.administration.owner'));
      }
      if (changes.username === '')
        throw invalidParameter('data[username]', t('api.parameters.empty', { parameter: 'data[username]' }));
      const named = changes.groups === undefined ? {} : { groups: await groupsWithin(admin, changes.groups, account) };
      return { input: { ...changes, ...named }, authority: authorityOf(principal) };
    },

    forRemoval: (principal) => ({
      ...authorityOf(principal),
      checkOutcome: async ({ before, groupIds }) => {
        const isReached = before !== null && reaches(principal.account, subjectOf(before, groupIds.before));
        if (!isReached) throw noSuchAccount();
      },
      defaults: DEFAULT_PERMISSIONS,
    }),
  };
}

/** Limits the accounts of an administrator, the new one included: those in reach count. */
async function requireRoom(admin: Administrator, tx: AccountsTransaction): Promise<void> {
  const { admin_max_users: most, admin_type: type, admin_over: over } = admin.permissions;
  if (admin.type === 'superuser' || most === 0) return;
  const named = over.split(',');
  const [where, params] =
    type === 'indep'
      ? ['owner_id = ?', [admin.id]]
      : over === ALL
        ? ["type = 'user' AND id <> ?", [admin.id]]
        : [
            `'u' || id IN (SELECT value FROM json_each(?1)) OR id IN
             (SELECT account_id FROM group_members WHERE 'g' || group_id IN (SELECT value FROM json_each(?1)))`,
            [JSON.stringify(named)],
          ];
  const row = await tx.get<{ count: number }>(`SELECT count(*) AS count FROM accounts WHERE ${where}`, params);
  if ((row?.count ?? 0) > most) {
    throw denied(t('api.administration.tooMany', { max: most }), { permission: 'admin_max_users' });
  }
}

function denied(message: string, details?: Record<string, unknown>): ApiError {
  return new ApiError('permission_denied', message, details === undefined ? {} : { details });
}

function noSuchAccount(): ApiError {
  return new ApiError('not_found', t('api.accounts.notFound'));
}
