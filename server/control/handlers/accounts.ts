import { displayName } from '../../accounts/account-record.ts';
import type { AccountRecord, Accounts } from '../../accounts/accounts.ts';
import type { Groups } from '../../accounts/groups.ts';
import { deactivationOf } from '../../accounts/permissions/account-status.ts';
import { checkedPermissions, DEFAULT_PERMISSIONS } from '../../accounts/permissions/permissions.ts';
import type { Roles } from '../../accounts/permissions/roles.ts';
import type { AccountPictures } from '../../accounts/pictures.ts';
import type { Sessions } from '../../accounts/sign-in/sessions.ts';
import type { Homes } from '../../catalogue/homes.ts';
import type { Database } from '../../database/database.ts';
import { once } from '../../lib/async/once.ts';
import type { Clock } from '../../lib/clock.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import type { Events, Origin } from '../../lib/events.ts';
import { avatarColour } from '../../lib/text/avatar-colour.ts';
import { t } from '../../messages/messages.ts';
import type { AppPassword, AppPasswords } from '../../oauth/app-passwords.ts';
import type { Authorizations } from '../../oauth/authorizations.ts';
import type { Tokens } from '../../oauth/tokens.ts';
import type { AccountChanges } from '../../people/account-changes.ts';
import { listAccounts } from '../../people/list-accounts.ts';
import type { Authority, ManageAccounts } from '../../people/manage-accounts.ts';
import type { accountMethods } from '../contract/accounts.ts';
import type { CheckedInput, Output } from '../contract/contract.ts';
import { ControlError, type Handlers } from '../dispatcher.ts';
import { ownerActor } from '../owner-actor.ts';
import { toControlError } from './to-control-error.ts';

export type AccountHandlers = Pick<Handlers, keyof typeof accountMethods>;

/** Loaded on first use: it is large and rarely needed. */
const csv = once(() => import('../../people/accounts-csv.ts'));

interface AccountHandlerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly accounts: Accounts;
  readonly manage: ManageAccounts;
  readonly groups: Pick<Groups, 'namesOf'>;
  readonly roles: Pick<Roles, 'list'>;
  readonly homes: Homes;
  readonly pictures: Pick<AccountPictures, 'read'>;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly appPasswords: AppPasswords;
  readonly authorizations: Authorizations;
}

type Changes = CheckedInput<'accounts.updateMany'>['changes'] & {
  password?: string | undefined;
  generatePassword?: boolean | undefined;
};

/** The owner's operations on people. The only rule that binds the owner is not to lock themselves out. */
export function accountHandlers(parts: AccountHandlerParts): AccountHandlers {
  const { database, clock, events, accounts, manage, groups, roles, homes, pictures } = parts;
  const { sessions, tokens, appPasswords, authorizations } = parts;

  async function authority(origin: Origin): Promise<Authority> {
    const actor = await ownerActor(accounts, origin);
    return { actor, by: 'owner', checkOutcome: async () => undefined, homeTemplate: '', defaults: DEFAULT_PERMISSIONS };
  }

  async function one({ id, username }: { id?: number | undefined; username?: string | undefined }) {
    if (id === undefined && username === undefined) {
      throw new ControlError('invalid_input', t('api.control.accountKey'), 'id');
    }
    const found = id === undefined ? await accounts.byUsername(username ?? '') : await accounts.byId(id);
    if (found === null)
      throw new ControlError('refused', t('api.accounts.notFound'), id === undefined ? 'username' : 'id');
    return found;
  }

  async function inFull(account: AccountRecord): Promise<Output<'accounts.get'>> {
    const { homeId } = account;
    const [names, home, row] = await Promise.all([
      groups.namesOf(account.id),
      homeId === null ? null : homes.byId(homeId),
      database.get<{ used: number }>('SELECT used FROM homes WHERE id = ?', [homeId]),
    ]);
    return {
      ...briefly(account, clock.now()),
      phone: account.phone,
      company: account.company,
      website: account.website,
      description: account.description,
      logoUrl: account.logoUrl,
      receiveNotifications: account.receiveNotifications,
      deactivatedReason: deactivationOf(account, clock.now()),
      requirePasswordChange: account.requirePasswordChange,
      permissions: { ...account.permissions },
      ownPermissions: { ...account.ownPermissions },
      groups: names,
      homeFolder: home?.homeRoot.root ?? null,
      usedBytes: row?.used ?? 0,
      registeredAt: isoSeconds(account.registeredAt),
    };
  }

  /** A failure for one does not stop the others. */
  async function each(ids: readonly number[], work: (id: number) => Promise<string | null>) {
    const results: Output<'accounts.updateMany'>['results'] = [];
    for (const id of new Set(ids)) {
      try {
        const message = await toControlError(() => work(id));
        results.push({ id, success: message !== null, message: message ?? t('api.accounts.notFound') });
      } catch (error) {
        if (!(error instanceof ControlError)) throw error;
        results.push({ id, success: false, message: error.message });
      }
    }
    return { results };
  }

  return {
    'accounts.list': async (query) => {
      const { accounts: listed, total } = await listAccounts(database, clock, query);
      return {
        total,
        accounts: listed.map(({ account, used, groups: names }) => ({
          ...briefly(account, clock.now()),
          adminType: account.permissions.admin_type,
          groups: [...names],
          usedBytes: used,
          quota: account.permissions.space_quota_max,
        })),
      };
    },

    'accounts.get': async (which) => inFull(await one(which)),

    'accounts.face': async (which) => {
      const found = await one(which);
      const { id, name } = found;
      const picture = await pictures.read(id);
      return {
        name,
        fullName: displayName(found),
        tint: avatarColour(id),
        picture: picture?.content.toString('base64') ?? null,
      };
    },

    'accounts.add': ({ username, name, ...rest }, origin) =>
      toControlError(async () => {
        const added = await manage.add({ ...changesOf(rest), username, name }, await authority(origin));
        return { ...(await inFull(added.account)), generatedPassword: added.generatedPassword };
      }),

    'accounts.update': ({ id, username, newUsername, ...rest }, origin) =>
      toControlError(async () => {
        const account = await one({ id, username });
        const renamed = newUsername === undefined ? {} : { username: newUsername };
        const edited = await manage.edit(account.id, { ...changesOf(rest), ...renamed }, await authority(origin));
        if (edited === null) throw goneMeanwhile();
        return { ...(await inFull(edited.account)), generatedPassword: edited.generatedPassword };
      }),

    'accounts.updateMany': async ({ ids, changes }, origin) => {
      const by = await authority(origin);
      return each(ids, async (id) =>
        (await manage.edit(id, changesOf(changes), by)) === null ? null : t('api.import.changed'),
      );
    },

    'accounts.remove': async ({ ids, deleteHomeFolder }, origin) => {
      const by = await authority(origin);
      return each(ids, async (id) => {
        const removed = await manage.remove(id, { deleteHomeFolder }, by);
        if (removed === null) return null;
        return removed.homeProblem === null
          ? t('api.accounts.deleted')
          : t('api.accounts.deletedHomeStays', { problem: removed.homeProblem });
      });
    },

    'accounts.activate': async ({ username }, origin) => {
      const account = await one({ username });
      const edited = await manage.edit(account.id, { activated: true }, await authority(origin));
      if (edited === null) throw goneMeanwhile();
      return { username, activated: true as const };
    },

    'accounts.export': async () => {
      const everybody = { sort: 'username', order: 'asc', start: 0, limit: Number.MAX_SAFE_INTEGER } as const;
      const { accountsToCsv } = await csv();
      const { accounts: listed } = await listAccounts(database, clock, everybody);
      // Guests depend on who shares with them: another installation would import them as members.
      const names = new Map((await roles.list()).map(({ id, name }) => [id, name]));
      return {
        csv: accountsToCsv(
          listed.filter(({ account }) => account.type !== 'guest'),
          names,
        ),
      };
    },

    'accounts.import': ({ csv: text, ...options }, origin) =>
      toControlError(async () => {
        const { importAccounts } = await csv();
        const { lines, total } = await importAccounts(
          { accounts, manage, roles },
          text,
          options,
          await authority(origin),
        );
        return { lines: [...lines], total };
      }),

    'authorizations.list': async (which) => ({
      authorizations: (await authorizations.list(which)).map(({ grantedAt, lastUsedAt, scopes, ...rest }) => ({
        ...rest,
        scopes: [...scopes],
        grantedAt: isoSeconds(grantedAt),
        lastUsedAt: lastUsedAt === null ? null : isoSeconds(lastUsedAt),
      })),
    }),

    'authorizations.revoke': async ({ id }, origin) => {
      if (!(await tokens.revokeAuthorization(id, 'by the owner', origin)))
        throw new ControlError('refused', t('api.control.authorizationNotFound'), 'id');
      return { id };
    },

    'appPasswords.list': async ({ accountId }) => {
      await one({ id: accountId });
      return { appPasswords: (await appPasswords.list(accountId)).map(shownAppPassword) };
    },

    'appPasswords.revoke': async ({ accountId, id }, origin) => {
      const account = await one({ id: accountId });
      const { actor } = await authority(origin);
      if (!(await appPasswords.remove(account, id, actor)))
        throw new ControlError('refused', t('api.appPasswords.notFound'), 'id');
      return { id };
    },

    'sessions.list': async ({ accountId }) => {
      await one({ id: accountId });
      return {
        sessions: (await sessions.list(accountId)).map(({ createdAt, lastSeenAt, ...rest }) => ({
          ...rest,
          createdAt: isoSeconds(createdAt),
          lastSeenAt: isoSeconds(lastSeenAt),
        })),
      };
    },

    'sessions.end': async ({ accountId, id }, origin) => {
      await one({ id: accountId });
      if (id === undefined) {
        await database.write(async (tx) => {
          await sessions.endOthers(accountId, null, tx);
          await tokens.revokeAll(accountId, {}, tx);
        });
      } else if (!(await sessions.endOf(accountId, id))) {
        throw new ControlError('refused', t('api.control.sessionNotFound'), 'id');
      }
      const { actor } = await authority(origin);
      events.emit('session.ended', { actor, sessions: id === undefined ? 'others' : 'one' });
      return { accountId };
    },
  };
}

function shownAppPassword({ id, label, program, app, scopes, lastUsed, ...rest }: AppPassword) {
  return {
    ...{ id, label, program },
    app: app?.name ?? null,
    scopes: [...scopes],
    readOnly: rest.isReadOnly,
    isFolderOnly: rest.rootUuid !== null,
    createdAt: isoSeconds(rest.createdAt),
    expiresAt: rest.expiresAt === null ? null : isoSeconds(rest.expiresAt),
    lastUsedAt: lastUsed === null ? null : isoSeconds(lastUsed.at),
    lastAddress: lastUsed?.address ?? '',
    lastUserAgent: lastUsed?.userAgent ?? '',
  };
}

/** @param now milliseconds since the epoch */
function briefly(account: AccountRecord, now: number) {
  return {
    id: account.id,
    type: account.type,
    username: account.username,
    name: account.name,
    lastName: account.lastName,
    email: account.email,
    activated: deactivationOf(account, now) === null,
    expirationDate: account.expiresAt === null ? null : isoSeconds(account.expiresAt),
    twoStepEnabled: account.twoStepRequired || account.twoStepKey !== null,
    roleId: account.roleId,
    lastLoginAt: account.lastLoginAt === null ? null : isoSeconds(account.lastLoginAt),
    ownerId: account.ownerId,
    failedLoginAttempts: account.failedLoginAttempts,
    hasPassword: account.passwordHash !== null,
    tint: avatarColour(account.id),
  };
}

/** The properties given, in the terms of the service. */
function changesOf({ expirationDate, permissions, ...rest }: Changes): AccountChanges {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const until =
    expirationDate === undefined ? {} : { expiresAt: expirationDate === null ? null : Date.parse(expirationDate) };
  if (permissions === undefined) return { ...given, ...until };
  return { ...given, ...until, permissions: checkedPermissions(permissions) };
}

/** The account was deleted since it was found. */
function goneMeanwhile(): ControlError {
  return new ControlError('refused', t('api.accounts.notFound'), 'id');
}
