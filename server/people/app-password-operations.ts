import { z } from 'zod';
import type { AccountCaller } from '../access/caller.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { operationsFor } from '../http/operation.ts';
import { datetime, flag, integer, listOf, text, virtualPath } from '../http/request/parameters.ts';
import { isoSeconds } from '../lib/datetime.ts';
import { actorOf } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import { authorizationStillThere, PROGRAM_SCOPES } from '../oauth/app-passwords.ts';
import type { Principal } from '../oauth/bearer.ts';
import { SCOPES, type Scope } from '../oauth/scopes.ts';
import {
  AppPasswordProblem,
  type AppPasswordsContext,
  createAppPassword,
  folderOf,
  type GrantedLimits,
  planAppPassword,
} from './app-passwords.ts';

const { json } = operationsFor<Principal, Scope>();

const limits = {
  scopes: z.array(z.enum(SCOPES)),
  /** `path` is null where the caller does not reach it. */
  folder: z.object({ uuid: z.string(), path: z.string().nullable() }).nullable(),
  read_only: z.boolean(),
  expires: z.string().nullable(),
};

const id = z.int().positive();

/** The app passwords of the caller's own account, for programs that can only send a user name and a password. */
export const appPasswordOperations = (context: AppPasswordsContext) => [
  json({
    path: 'account/app-passwords/list',
    methods: ['GET', 'POST'],
    scopes: ['profile'],
    summary: 'List the app passwords',
    description:
      'The app passwords of the account that have not expired, the latest first. `app` is the app that created it, or null. The passwords themselves are stored only as hashes.',
    params: z.object({}),
    data: z.object({
      passwords: z.array(
        z.object({
          id,
          label: z.string(),
          ...limits,
          created: z.string(),
          app: z.string().nullable(),
          last_used: z.object({ date: z.string(), address: z.string(), user_agent: z.string() }).nullable(),
        }),
      ),
    }),
    run: async ({ principal }) => {
      const passwords = await context.appPasswords.list(principal.account.id);
      return {
        passwords: await Promise.all(
          passwords.map(async ({ id, label, createdAt, app, lastUsed, ...granted }) => ({
            ...{ id, label },
            ...(await limitsOf(context, principal, granted)),
            created: isoSeconds(createdAt),
            app: app?.name ?? null,
            last_used: lastUsed && {
              date: isoSeconds(lastUsed.at),
              address: lastUsed.address,
              user_agent: lastUsed.userAgent,
            },
          })),
        ),
      };
    },
  }),

  json({
    path: 'account/app-passwords/add',
    methods: ['POST'],
    scopes: ['profile'],
    summary: 'Create an app password',
    description:
      'Creates a password for a program that can only send a username and a password, such as a WebDAV client. The reply has the `password`, only this time. It has at most the scopes, the folder and the expiry of the token, is listed under its app, and ends with the authorization of the app.',
    params: z.object({
      label: text().describe('Name of the program or device.'),
      scopes: listOf(PROGRAM_SCOPES)
        .optional()
        .describe('Scopes of the app password. By default those of the token that programs can use.'),
      folder: virtualPath().optional().describe('Limits it to a folder, which it follows when the folder moves.'),
      read_only: flag().default(false).describe('Allow no changes.'),
      expires: datetime().optional().describe('Expiration: YYYY-MM-DD HH:MM:SS, or ISO 8601 with a zone.'),
    }),
    data: z.object({ id, password: z.string(), label: z.string(), ...limits }),
    run: async ({ principal, params }) => {
      const { authorizationId } = principal;
      if (authorizationId === undefined) throw new ApiError('invalid_token', t('api.appPasswords.ended'));
      const requested = {
        label: params.label,
        program: null,
        scopes: params.scopes ?? null,
        mayShare: false,
        folder: params.folder ?? null,
        isReadOnly: params.read_only,
        expiresAt: params.expires ?? null,
      };
      try {
        const stillProved = authorizationStillThere(authorizationId);
        const planned = await planAppPassword(context, principal, requested);
        const made = await createAppPassword(context, principal, planned, { stillProved, authorizationId });
        return { ...made, label: planned.label, ...(await limitsOf(context, principal, planned.grant)) };
      } catch (error) {
        if (error instanceof AppPasswordProblem) throw invalidParameter(error.field, error.message);
        throw error;
      }
    },
  }),

  json({
    path: 'account/app-passwords/delete',
    methods: ['POST'],
    scopes: ['profile'],
    summary: 'Revoke an app password',
    description: 'Programs that use it lose access at once; requests in progress are aborted within a second or two.',
    params: z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).describe('ID of the app password.') }),
    data: z.object({}),
    run: async ({ principal, params }) => {
      const { account } = principal;
      const removed = await context.appPasswords.remove(account, params.id, actorOf(principal, account));
      if (!removed) throw new ApiError('not_found', t('api.appPasswords.notFound'));
      return {};
    },
  }),
];

async function limitsOf(
  context: AppPasswordsContext,
  caller: AccountCaller,
  { scopes, rootUuid, isReadOnly, expiresAt }: GrantedLimits,
) {
  return {
    scopes: [...scopes],
    folder: rootUuid === null ? null : { uuid: rootUuid, path: await folderOf(context, caller, rootUuid) },
    read_only: isReadOnly,
    expires: expiresAt === null ? null : isoSeconds(expiresAt),
  };
}
