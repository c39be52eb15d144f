import type { Accounts } from '../accounts/accounts.ts';
import { createGroups } from '../accounts/groups.ts';
import { createRoles } from '../accounts/permissions/roles.ts';
import type { AccountPictures } from '../accounts/pictures.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import type { TwoStep } from '../accounts/sign-in/two-step.ts';
import type { Homes } from '../catalogue/homes.ts';
import type { ItemCounts } from '../catalogue/item-counts.ts';
import type { Reconciler } from '../catalogue/reconcile/reconciler.ts';
import type { Config } from '../config/config.ts';
import { accountHandlers } from '../control/handlers/accounts.ts';
import { peopleHandlers } from '../control/handlers/people.ts';
import type { Database } from '../database/database.ts';
import type { FilesContext } from '../files/context.ts';
import type { Clock } from '../lib/clock.ts';
import type { Events } from '../lib/events.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { AppPasswords } from '../oauth/app-passwords.ts';
import { createAuthorizations } from '../oauth/authorizations.ts';
import type { Tokens } from '../oauth/tokens.ts';
import { createAccountDetails } from '../people/account-details.ts';
import { createAdminRules } from '../people/admin-rules.ts';
import { createAppPasswordNotices } from '../people/app-password-notices.ts';
import { createChangePassword } from '../people/change-password.ts';
import { createHomeFolders } from '../people/homes/home-folders.ts';
import { createManageAccounts } from '../people/manage-accounts.ts';
import { accountOperations } from '../people/operations.ts';
import type { Settings } from '../settings/settings.ts';
import type { Layout } from '../storage/layout.ts';

interface PeopleParts {
  readonly database: Database;
  readonly config: Pick<Config, 'homeAccess'>;
  readonly clock: Clock;
  readonly events: Events;
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly appPasswords: AppPasswords;
  readonly twoStep: TwoStep;
  readonly signIn: SignIn;
  readonly pictures: AccountPictures;
  readonly homes: Homes;
  readonly files: FilesContext;
  readonly layout: Layout;
  readonly reconciler: Pick<Reconciler, 'check' | 'cancelCheck'>;
  readonly mails: Pick<MailQueue, 'post'>;
  readonly itemCounts: () => Promise<ItemCounts>;
}

/** Composes the operations on people, for apps and for the owner. */
export function composePeople(parts: PeopleParts) {
  const { database, clock, events, accounts, files, homes, layout, signIn, pictures } = parts;
  const groups = createGroups(database, clock, events);
  const roles = createRoles(database, clock, events);
  const homeFolders = createHomeFolders({ files, homes, layout, homeAccess: parts.config.homeAccess });
  const manage = createManageAccounts({ ...parts, groups, roles, homeFolders });
  const details = createAccountDetails({ database, groups, homes, clock });
  const rules = createAdminRules({ groups });
  const changePassword = createChangePassword(parts);
  const authorizations = createAuthorizations(database);
  const notices = createAppPasswordNotices(parts);
  const appPasswordsContext = { files, appPasswords: parts.appPasswords, clock, notices };
  return {
    changePassword,
    appPasswordsContext,
    groups,
    homeFolders,
    handlers: {
      ...accountHandlers({ ...parts, groups, roles, manage, authorizations }),
      ...peopleHandlers({ ...parts, groups, roles, homeFolders }),
    },
    operations: accountOperations({
      ...{ clock, events, signIn, changePassword, accounts, details, manage, rules, pictures, appPasswordsContext },
    }),
  };
}
