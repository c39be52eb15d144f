import { describe, expect, it } from 'vitest';
import {
  defaultsFrom,
  managesUsers,
  reaches,
  tooMuch,
} from '../../../dist/server/accounts/permissions/administration.js';
import {
  ALL_PERMISSIONS,
  DEFAULT_PERMISSIONS,
  permissionsSchema,
} from '../../../dist/server/accounts/permissions/permissions.js';

const account = (id: number, permissions = {}, more = {}) => ({
  id,
  type: 'user' as const,
  ownerId: null as number | null,
  groupIds: [] as number[],
  permissions: permissionsSchema.parse(permissions),
  ...more,
});

const superuser = account(1, ALL_PERMISSIONS, { type: 'superuser' as const });
const simpleAll = account(2, { admin_type: 'simple', admin_users: true, admin_over: '-ALL-' });
const simpleSome = account(3, { admin_type: 'simple', admin_users: true, admin_over: 'u10,g5' });
const simpleNone = account(4, { admin_type: 'simple', admin_users: true });
const simpleWithoutUsers = account(5, { admin_type: 'simple', admin_over: '-ALL-', admin_roles: true });
const independent = account(6, { admin_type: 'indep', admin_users: true, admin_over: '-ALL-' });
const member = account(10);
const grouped = account(11, {}, { groupIds: [5, 9] });
const owned = account(12, {}, { ownerId: 6 });
const guest = account(13, {}, { type: 'guest' as const });
const pretender = account(14, { admin_users: true, admin_over: '-ALL-' });

describe('the accounts that an administrator manages', () => {
  const everybody = { superuser, simpleAll, simpleSome, simpleNone, independent, member, grouped, owned, guest };
  const table: [string, ReturnType<typeof account>, (keyof typeof everybody)[]][] = [
    ['the superuser', superuser, Object.keys(everybody) as (keyof typeof everybody)[]],
    ['simple, over all', simpleAll, ['member', 'grouped', 'owned', 'guest']],
    ['simple, over one and a group', simpleSome, ['member', 'grouped']],
    ['simple, over nobody', simpleNone, []],
    ['simple, without the right to users', simpleWithoutUsers, []],
    ['independent', independent, ['owned']],
    ['a member', member, []],
    ['somebody with the rights, and no administrator', pretender, []],
    ['a guest', guest, []],
  ];
  it.each(table)('%s', (_, admin, reached) => {
    const found = Object.entries(everybody).filter(([, subject]) => reaches(admin, subject as never));
    expect(found.map(([name]) => name)).toEqual(reached);
    expect(managesUsers(admin as never)).toBe(
      [superuser, simpleAll, simpleSome, simpleNone, independent].includes(admin),
    );
  });
});

describe('the rights that an administrator may grant', () => {
  const limited = account(2, {
    admin_type: 'simple',
    admin_users: true,
    admin_over: '-ALL-',
    weblink: false,
    readonly: true,
    space_quota_max: 100,
    upload_max_size: 10,
    upload_limit_types: 'jpg, .PNG',
    users_may_see: 'u10,g5',
  });
  const allowed = { ...defaultsFrom(limited) };

  it('the defaults of a new account are limited to those of the administrator', () => {
    expect(tooMuch(limited, allowed, null)).toBeNull();
    expect(allowed).toMatchObject({
      weblink: false,
      readonly: true,
      space_quota_max: 100,
      upload_max_size: 10,
      upload_limit_types: 'jpg, .PNG',
      users_may_see: 'u10,g5',
      share: true,
      admin_type: null,
      admin_users: false,
    });
    expect(defaultsFrom(superuser)).toEqual(DEFAULT_PERMISSIONS);
  });

  it.each([
    [{ weblink: true }, 'weblink'],
    [{ readonly: false }, 'readonly'],
    [{ space_quota_max: 0 }, 'space_quota_max'],
    [{ space_quota_max: 101 }, 'space_quota_max'],
    [{ space_quota_max: 99 }, null],
    [{ upload_max_size: 0 }, 'upload_max_size'],
    [{ upload_max_size: 11 }, 'upload_max_size'],
    [{ upload_limit_types: '' }, 'upload_limit_types'],
    [{ upload_limit_types: 'jpg,exe' }, 'upload_limit_types'],
    [{ upload_limit_types: 'PNG' }, null],
    [{ upload_limit_types: '*.png' }, null],
    [{ users_may_see: '-ALL-' }, 'users_may_see'],
    [{ users_may_see: 'u10,u11' }, 'users_may_see'],
    [{ users_may_see: '' }, null],
    [{ users_may_see: 'g5' }, null],
    [{ share: true, download: true }, null],
    [{ admin_type: 'simple' as const }, 'admin_type'],
    [{ admin_users: true }, 'admin_users'],
    [{ admin_over: '-ALL-' }, 'admin_over'],
    [{ admin_max_users: 5 }, 'admin_max_users'],
    [{ admin_logs: true }, 'admin_logs'],
  ])('%o: %s', (given, refused) => {
    expect(tooMuch(limited, { ...allowed, ...given }, null)).toBe(refused);
    expect(tooMuch(superuser, { ...allowed, ...given }, null)).toBeNull();
    // An administrator may leave permissions that another one gave before.
    expect(tooMuch(limited, { ...allowed, ...given }, { ...allowed, ...given })).toBeNull();
  });

  it('removing rights is always allowed', () => {
    const full = { ...DEFAULT_PERMISSIONS, weblink: true, readonly: false };
    expect(tooMuch(limited, { ...full, weblink: false, share: false, readonly: true }, full)).toBeNull();
  });
});
