import type { z } from 'zod';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Groups } from '../accounts/groups.ts';
import { deactivationOf } from '../accounts/permissions/account-status.ts';
import type { Homes } from '../catalogue/homes.ts';
import type { Database } from '../database/database.ts';
import { MEGABYTE } from '../lib/bytes.ts';
import type { Clock } from '../lib/clock.ts';
import { isoSeconds, localSeconds } from '../lib/datetime.ts';
import type { accountReply } from './account-parameters.ts';
import { shownHomePath } from './homes/home-path.ts';

export interface AccountDetails {
  /** Everything that may be shown of an account; never a hash or a secret. */
  of(account: AccountRecord): Promise<z.output<typeof accountReply>>;
}

export function createAccountDetails({
  database,
  groups,
  homes,
  clock,
}: {
  database: Database;
  groups: Pick<Groups, 'namesOf'>;
  homes: Homes;
  clock: Clock;
}): AccountDetails {
  return {
    async of(account) {
      const { homeId } = account;
      const [names, home, used] = await Promise.all([
        groups.namesOf(account.id),
        homeId === null ? null : homes.byId(homeId),
        homeId === null ? 0 : usedBy(database, homeId),
      ]);
      return {
        id: account.id,
        type: account.type,
        username: account.username,
        name: account.name,
        last_name: account.lastName,
        two_step_enabled: account.twoStepRequired || account.twoStepKey !== null,
        owner: account.ownerId,
        activated: deactivationOf(account, clock.now()) === null,
        expiration_date: account.expiresAt === null ? null : localSeconds(account.expiresAt),
        require_password_change: account.requirePasswordChange,
        email: account.email,
        receive_notifications: account.receiveNotifications,
        phone: account.phone,
        company: account.company,
        website: account.website,
        description: account.description,
        logo_url: account.logoUrl,
        perms: {
          ...account.permissions,
          role: account.roleId,
          homefolder: home === null ? '' : shownHomePath(home.homeRoot.root),
        },
        groups: names,
        registration_date: isoSeconds(account.registeredAt),
        last_login_date: account.lastLoginAt === null ? null : isoSeconds(account.lastLoginAt),
        failed_login_attempts: account.failedLoginAttempts,
        space_quota_current: Math.round((used / MEGABYTE) * 100) / 100,
      };
    },
  };
}

/** Bytes. */
async function usedBy(database: Database, homeId: string): Promise<number> {
  return (await database.get<{ used: number }>('SELECT used FROM homes WHERE id = ?', [homeId]))?.used ?? 0;
}
