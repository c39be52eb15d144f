import { type AccountFields, AccountProblem } from '../accounts/accounts.ts';
import { isEmailAddress } from '../lib/text/email-address.ts';
import { t } from '../messages/messages.ts';

/** The properties of an account (§2.8). For an existing account, only those given change. */
export interface AccountChanges extends Omit<AccountFields, 'homeId'> {
  readonly password?: string;
  /** Generates one instead of `password`. */
  readonly generatePassword?: boolean;
  readonly groups?: readonly string[];
  /** An absolute path; null unassigns the home, whose files stay. */
  readonly homeFolder?: string | null;
  /** Whether `homeFolder` may be a folder with files, which become the account’s: only the owner may allow that. */
  readonly adoptHomeFolder?: boolean;
  /** Creates the default home, or that of the role, for an account without one. */
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

/** The first invalid text of an account, and why; null if all are valid. */
export function textProblem(changes: AccountChanges): AccountProblem | null {
  if (changes.name?.trim() === '') return new AccountProblem('name', t('api.accounts.nameMissing'));
  for (const [name, limit] of Object.entries(LIMITS)) {
    const field = name as keyof typeof LIMITS;
    const text = changes[field];
    if (text === undefined) continue;
    if (text.length > limit) return new AccountProblem(field, t('api.accounts.tooLong', { max: limit }));
    // Only descriptions may have several lines.
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

/** It becomes a link, so other schemes such as scripts and files are refused. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s"<>\\]+$/i.test(text) && URL.canParse(text);
}
