import { AccountProblem } from '../accounts/accounts.ts';
import type { Permissions } from '../accounts/permissions.ts';
import { isEmailAddress } from '../lib/email-address.ts';

/** What can be said of an account (§2.8). Of an account that exists, only what is given changes. */
export interface AccountChanges {
  readonly username?: string;
  readonly name?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly company?: string;
  readonly website?: string;
  readonly description?: string;
  readonly logoUrl?: string;
  readonly receiveNotifications?: boolean;
  readonly activated?: boolean;
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAt?: number | null;
  readonly requirePasswordChange?: boolean;
  /** Asked for at the next sign-in, where it is not set up; off forgets the key. */
  readonly twoStepEnabled?: boolean;
  readonly password?: string;
  /** One that is made up, in place of `password`. */
  readonly generatePassword?: boolean;
  /** The independent administrator whom the account belongs to. */
  readonly ownerId?: number | null;
  readonly permissions?: Partial<Permissions>;
  readonly roleId?: number | null;
  readonly groups?: readonly string[];
  /** An absolute path; null takes the home away, its files stay. */
  readonly homeFolder?: string | null;
  /** Makes the default home, or that of a role, for an account that has none. */
  readonly createHomeFolder?: boolean;
}

export type NewAccountInput = AccountChanges & { readonly username: string; readonly name: string };

const LIMITS = {
  name: 100,
  lastName: 100,
  phone: 50,
  company: 100,
  website: 500,
  logoUrl: 500,
  description: 5_000,
} as const;

/**
 * Holds texts of an account against what they may be.
 * @throws AccountProblem for the first that is not
 */
export function checkTexts(changes: AccountChanges): void {
  if (changes.name?.trim() === '') throw new AccountProblem('name', 'A first name is needed.');
  for (const [name, limit] of Object.entries(LIMITS)) {
    const field = name as keyof typeof LIMITS;
    const text = changes[field];
    if (text === undefined) continue;
    if (text.length > limit) throw new AccountProblem(field, `This is longer than ${limit} characters.`);
    // Lines are for descriptions.
    const controls = field === 'description' ? /[^\P{Cc}\n\r\t]/u : /\p{Cc}/u;
    if (controls.test(text)) throw new AccountProblem(field, 'This has control characters.');
  }
  if (changes.email !== undefined && changes.email.trim() !== '' && !isEmailAddress(changes.email.trim())) {
    throw new AccountProblem('email', 'This is no e-mail address, such as ann@orchard.example.');
  }
  for (const field of ['website', 'logoUrl'] as const) {
    const text = changes[field];
    if (text !== undefined && text !== '' && !isWebAddress(text)) {
      throw new AccountProblem(field, 'This is no web address, such as https://orchard.example/.');
    }
  }
}

/** It becomes a link: no script, no file. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s"<>\\]+$/i.test(text) && URL.canParse(text);
}
