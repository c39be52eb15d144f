import { type AccountFields, AccountProblem } from '../accounts/accounts.ts';
import { isEmailAddress } from '../lib/text/email-address.ts';
import { t } from '../messages/messages.ts';

/** What can be said of an account (§2.8). Of an account that exists, only what is given changes. */
export interface AccountChanges extends Omit<AccountFields, 'homeId'> {
  readonly password?: string;
  /** One that is made up, in place of `password`. */
  readonly generatePassword?: boolean;
  readonly groups?: readonly string[];
  /** An absolute path; null takes the home away, its files stay. */
  readonly homeFolder?: string | null;
  /** Whether `homeFolder` may be a folder with files in it, which become the account’s: only the owner says so. */
  readonly adoptHomeFolder?: boolean;
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

/** Which text of an account may not be so, and why; null when all of them may. */
export function textProblem(changes: AccountChanges): AccountProblem | null {
  if (changes.name?.trim() === '') return new AccountProblem('name', t('api.accounts.nameMissing'));
  for (const [name, limit] of Object.entries(LIMITS)) {
    const field = name as keyof typeof LIMITS;
    const text = changes[field];
    if (text === undefined) continue;
    if (text.length > limit) return new AccountProblem(field, t('api.accounts.tooLong', { max: limit }));
    // Lines are for descriptions.
    const controls = field === 'description' ? /[^\P{Cc}\n\r\t]/u : /\p{Cc}/u;
    if (controls.test(text)) return new AccountProblem(field, t('api.accounts.characters'));
  }
  const email = changes.email?.trim() ?? '';
  if (email !== '' && !isEmailAddress(email)) {
    return new AccountProblem('email', t('api.accounts.email'));
  }
  for (const field of ['website', 'logoUrl'] as const) {
    const text = changes[field];
    if (text !== undefined && text !== '' && !isWebAddress(text)) {
      return new AccountProblem(field, t('api.accounts.address'));
    }
  }
  return null;
}

/** It becomes a link: no script, no file. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s"<>\\]+$/i.test(text) && URL.canParse(text);
}
