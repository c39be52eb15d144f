import { z } from 'zod';
import { deactivationOf } from '../accounts/permissions/account-status.ts';
import { operationsFor } from '../http/operation.ts';
import type { Clock } from '../lib/clock.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';

const { json } = operationsFor<Principal, Scope>();

/** §2.4: every value is a string. */
export const accountInfo = (clock: Clock) =>
  json({
    path: 'account/info',
    methods: ['GET', 'POST'],
    scopes: ['profile'],
    summary: 'Get the account of the token',
    description: '`email` is included only if the scope `email` was granted.',
    params: z.object({}),
    data: z.object({
      id: z.string(),
      activated: z.enum(['0', '1']),
      username: z.string(),
      name: z.string(),
      name2: z.string(),
      email: z.string().optional(),
    }),
    dataAtTop: true,
    run: async ({ principal: { account, scopes } }) => ({
      id: String(account.id),
      activated: deactivationOf(account, clock.now()) === null ? ('1' as const) : ('0' as const),
      username: account.username,
      name: account.name,
      name2: account.lastName,
      ...(scopes.has('email') ? { email: account.email } : {}),
    }),
  });
