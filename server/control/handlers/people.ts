import type { Accounts } from '../../accounts/accounts.ts';
import type { GroupRecord, Groups } from '../../accounts/groups.ts';
import type { Permissions } from '../../accounts/permissions/permissions.ts';
import type { RoleRecord, Roles } from '../../accounts/permissions/roles.ts';
import type { ItemCounts } from '../../catalogue/item-counts.ts';
import type { Reconciler } from '../../catalogue/reconcile/reconciler.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import type { Origin } from '../../lib/events.ts';
import { t } from '../../messages/messages.ts';
import type { HomeFolders, ListedHome } from '../../people/homes/home-folders.ts';
import { shownHomePath } from '../../people/homes/home-path.ts';
import type { peopleMethods } from '../contract/people.ts';
import { ControlError, type Handlers } from '../dispatcher.ts';
import { ownerActor } from '../owner-actor.ts';
import { toControlError } from './to-control-error.ts';

export type PeopleHandlers = Pick<Handlers, keyof typeof peopleMethods>;

interface PeopleHandlerParts {
  readonly accounts: Accounts;
  readonly groups: Groups;
  readonly roles: Roles;
  readonly homeFolders: HomeFolders;
  readonly reconciler: Pick<Reconciler, 'check' | 'cancelCheck'>;
  readonly itemCounts: () => Promise<ItemCounts>;
}

/** The owner's operations on groups, roles and home folders. */
export function peopleHandlers({
  accounts,
  groups,
  roles,
  homeFolders,
  reconciler,
  itemCounts,
}: PeopleHandlerParts): PeopleHandlers {
  const owner = (origin: Origin) => ownerActor(accounts, origin);
  const listed = async (id: string) => found(await homeFolders.byId(id), 'home');
  const viewOf = async (home: ListedHome) => homeView(home, await itemCounts());

  return {
    'groups.list': async ({ ownerId }) => ({
      groups: (await groups.list(ownerId === undefined ? {} : { ownerId })).map(groupView),
    }),
    'groups.add': ({ name, ownerId = null }, origin) =>
      toControlError(async () => groupView(await groups.add({ name, ownerId }, await owner(origin)))),
    'groups.rename': ({ id, name }, origin) =>
      toControlError(async () => groupView(found(await groups.rename(id, name, await owner(origin)), 'group'))),
    'groups.remove': async ({ id }, origin) => ({
      id: found(await groups.remove(id, await owner(origin)), 'group').id,
    }),
    'groups.members': async ({ id }) => {
      found(await groups.byId(id), 'group');
      return { id, accountIds: await groups.membersOf(id) };
    },
    'groups.setMembers': ({ id, accountIds }, origin) =>
      toControlError(async () =>
        groupView(found(await groups.setMembers(id, accountIds, await owner(origin)), 'group')),
      ),

    'roles.list': async () => ({ roles: (await roles.list()).map(roleView) }),
    'roles.add': ({ name, permissions, homeTemplate }, origin) =>
      toControlError(async () => {
        const role = { name, permissions: permissions as Partial<Permissions>, homeTemplate };
        return roleView(await roles.add(role, await owner(origin)));
      }),
    'roles.update': ({ id, ...changes }, origin) =>
      toControlError(async () => {
        const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
        return roleView(found(await roles.update(id, given, await owner(origin)), 'role'));
      }),
    'roles.remove': ({ id, force }, origin) =>
      toControlError(async () => ({ id: found(await roles.remove(id, { force }, await owner(origin)), 'role').id })),

    'homes.list': async () => {
      const [homes, counts] = await Promise.all([homeFolders.list('in-place'), itemCounts()]);
      return { homes: homes.map((home) => homeView(home, counts)) };
    },
    'homes.check': async ({ id }) => {
      const homes = reconciler.check(id ?? null);
      if (id !== undefined && homes === 0) {
        await listed(id);
        throw new ControlError('refused', t('api.homes.offline'), 'id');
      }
      return { homes };
    },
    'homes.cancelCheck': async () => ({ homes: reconciler.cancelCheck() }),
    'homes.forget': ({ id }, origin) =>
      toControlError(async () => {
        await homeFolders.trash.forget(id, await owner(origin));
        return { id };
      }),
    'homes.trash.list': async () => ({ homes: (await homeFolders.list('trashed')).map(trashedView) }),
    'homes.trash.add': ({ id }, origin) =>
      toControlError(async () => {
        await homeFolders.trash.put(id, '', await owner(origin));
        return trashedView(await listed(id));
      }),
    'homes.trash.restore': ({ id }, origin) =>
      toControlError(async () => {
        await homeFolders.trash.restore(id, await owner(origin));
        return viewOf(await listed(id));
      }),
    'homes.trash.delete': ({ id }, origin) =>
      toControlError(async () => {
        await homeFolders.trash.erase(id, await owner(origin));
        return { id };
      }),
  };
}

const MISSING = {
  group: 'api.groups.notFound',
  home: 'api.homes.notFound',
  role: 'api.roles.notFound',
} as const;

function found<T>(record: T | null, what: keyof typeof MISSING): T {
  if (record === null) throw new ControlError('refused', t(MISSING[what]), 'id');
  return record;
}

function groupView({ createdAt, ...group }: GroupRecord) {
  return { ...group, createdAt: isoSeconds(createdAt) };
}

function roleView({ createdAt, ...role }: RoleRecord) {
  return { ...role, createdAt: isoSeconds(createdAt) };
}

function homeView(home: ListedHome, counts: ItemCounts) {
  return {
    id: home.id,
    path: shownHomePath(home.homeRoot.root),
    accountId: home.accountId,
    username: home.username,
    orphaned: home.accountId === null,
    online: home.isOnline,
    usedBytes: home.usedBytes,
    items: counts.get(home.id) ?? 0,
    createdAt: isoSeconds(home.createdAt),
  };
}

function trashedView(home: ListedHome) {
  return {
    id: home.id,
    originalPath: shownHomePath(home.trashed?.originalRoot ?? home.homeRoot.root),
    path: shownHomePath(home.homeRoot.root),
    username: home.username,
    online: home.isOnline,
    usedBytes: home.usedBytes,
    deletedAt: isoSeconds(home.trashed?.at ?? home.createdAt),
  };
}
