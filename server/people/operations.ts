import type { AccountPictures } from '../accounts/pictures.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import type { Clock } from '../lib/clock.ts';
import type { Events } from '../lib/events.ts';
import { accountInfo } from './account-info.ts';
import { accountPassword } from './account-password.ts';
import { type AdminUsersParts, adminUsersOperations } from './admin-users.ts';
import { appPasswordOperations } from './app-password-operations.ts';
import type { AppPasswordsContext } from './app-passwords.ts';
import { avatarOperations } from './avatar.ts';
import type { ChangePassword } from './change-password.ts';

interface AccountOperationsParts extends AdminUsersParts {
  readonly pictures: AccountPictures;
  readonly clock: Clock;
  readonly events: Events;
  readonly signIn: SignIn;
  readonly changePassword: ChangePassword;
  readonly appPasswordsContext: AppPasswordsContext;
}

/** The API operations on the caller's own account and, for administrators, on other accounts. */
export const accountOperations = (parts: AccountOperationsParts) => [
  accountInfo(parts.clock),
  accountPassword(parts),
  ...avatarOperations(parts.pictures, parts.events),
  ...appPasswordOperations(parts.appPasswordsContext),
  ...adminUsersOperations(parts),
];
