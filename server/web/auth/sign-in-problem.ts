import type { SignInResult } from '../../accounts/sign-in/sign-in.ts';
import { t } from '../../messages/messages.ts';

/** Why someone could not sign in. @param owner the first name of the person who manages the household */
export function signInProblem(result: SignInResult, owner: string): string {
  switch (result.outcome) {
    case 'wait':
      return waitProblem(result.seconds);
    case 'deactivated':
      return t('signIn.problem.deactivated', { owner });
    case 'expired':
      return t('signIn.problem.expired', { owner });
    default:
      return t('signIn.problem.refused');
  }
}

/** Up to this many seconds the wait is given in seconds, beyond in minutes. */
const MAX_SECONDS = 90;

export function waitProblem(seconds: number): string {
  if (seconds < MAX_SECONDS) return t('signIn.problem.waitSeconds', { seconds });
  return t('signIn.problem.waitMinutes', { minutes: Math.ceil(seconds / 60) });
}
