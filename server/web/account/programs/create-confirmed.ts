import type { Request } from 'express';
import type { AccountCaller } from '../../../access/caller.ts';
import { sameCredentials, sessionStillOpen } from '../../../accounts/sign-in/proof-validity.ts';
import { ApiError } from '../../../http/errors.ts';
import { createAppPassword, type PlannedAppPassword } from '../../../people/app-passwords.ts';
import { originOf, type SignedIn, triedBy } from '../../shell/page-context.ts';
import { type AccountPagesParts, notProvedProblem, statusOf } from '../context.ts';

/** Guests sign in with a private link, and cannot have app passwords. */
export function isGuest({ session }: SignedIn): boolean {
  return session.account.type === 'guest';
}

export function callerOf(request: Request, { session }: SignedIn): AccountCaller {
  return { account: session.account, ...originOf(request) };
}

/** Why an app password was not created, by field of the form, and the status of the reply. */
interface NotCreated {
  readonly problems: Readonly<Record<string, string>>;
  readonly status: number;
}

/**
 * Creates an app password once the person has confirmed it with password and code. Plan it before: each code works only once.
 * @param fields of the form
 */
export async function createConfirmed(
  { signIn, appPasswordsContext }: Pick<AccountPagesParts, 'signIn' | 'appPasswordsContext'>,
  request: Request,
  visitor: SignedIn,
  planned: PlannedAppPassword,
  { password = '', otp = '' }: Readonly<Record<string, string>>,
): Promise<{ readonly id: number; readonly password: string } | NotCreated> {
  const { account, id: sessionId } = visitor.session;
  const proved = await signIn.confirm(account, { password, otp, ...triedBy(request) });
  if (proved.outcome !== 'confirmed') return { problems: notProvedProblem(proved), status: statusOf(proved) };
  const [isOpen, isSame] = [sessionStillOpen(sessionId), sameCredentials(account)];
  try {
    return await createAppPassword(appPasswordsContext, callerOf(request, visitor), planned, {
      stillProved: async (tx) => (await isOpen(tx)) && (await isSame(tx)),
      authorizationId: null,
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    return { problems: { label: error.message }, status: 422 };
  }
}
