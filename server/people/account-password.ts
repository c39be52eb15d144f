import { z } from 'zod';
import { AccountProblem } from '../accounts/accounts.ts';
import { requirePermission } from '../accounts/permissions/require-permission.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import { ApiError, invalidParameter, missingParameter } from '../http/errors.ts';
import { operationsFor } from '../http/operation.ts';
import { listOfIntegers } from '../http/request/parameters.ts';
import { t } from '../messages/messages.ts';
import { MAX_APP_PASSWORDS } from '../oauth/app-passwords.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { ChangePassword } from './change-password.ts';

const { json } = operationsFor<Principal, Scope>();

/** Changes the caller's own password. The authorization of the request stays; all others end. */
export const accountPassword = ({ signIn, changePassword }: { signIn: SignIn; changePassword: ChangePassword }) =>
  json({
    path: 'account/password',
    methods: ['POST'],
    scopes: ['profile'],
    changesPassword: true,
    summary: 'Change the password',
    description:
      'Ends all other sessions and tokens of the account, and all app passwords except those in `keep_app_passwords`. App passwords that other apps created end in any case. A wrong `current_password` or `otp` counts as a failed sign-in attempt.',
    params: z.object({
      current_password: z.string().min(1).describe('Current password.'),
      new_password: z.string().min(1).describe('New password.'),
      otp: z.string().default('').meta({ description: 'Two-step sign-in code, if two-step sign-in is enabled.' }),
      keep_app_passwords: listOfIntegers({ min: 1, max: Number.MAX_SAFE_INTEGER, most: MAX_APP_PASSWORDS })
        .optional()
        .describe('IDs of the app passwords that stay. By default none. Others, and unknown IDs, are not kept.'),
    }),
    data: z.object({}),
    run: async ({ principal, params }) => {
      const { account, authorizationId } = principal;
      requirePermission(account, 'change_pass');
      const shown = { password: params.current_password, otp: params.otp, from: principal, device: null };
      const result = await signIn.confirm(account, shown);
      if (result.outcome !== 'confirmed') throw refusal(result);
      try {
        const { new_password: password, keep_app_passwords: appPasswords = [] } = params;
        await changePassword({ account, password, keep: { authorizationId, appPasswords }, from: principal });
      } catch (error) {
        if (!(error instanceof AccountProblem)) throw error;
        throw new ApiError('invalid_parameter', error.message, { details: { parameter: 'new_password' } });
      }
      return {};
    },
  });

function refusal(result: Exclude<Awaited<ReturnType<SignIn['confirm']>>, { outcome: 'confirmed' }>): ApiError {
  switch (result.outcome) {
    case 'refused':
      return invalidParameter('current_password', t('api.passwords.current'));
    case 'code-needed':
      return missingParameter('otp');
    case 'code-wrong':
      return invalidParameter('otp', t('api.passwords.code'));
    case 'deactivated':
      return new ApiError('account_deactivated', t('api.accounts.disabled'));
    case 'wait':
      return new ApiError('too_many_requests', t('api.passwords.waitAttempts', { seconds: result.seconds }), {
        headers: { 'Retry-After': String(result.seconds) },
      });
  }
}
