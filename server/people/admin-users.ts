import { z } from 'zod';
import { type Accounts, OWNER_ID, UsernameInUse } from '../accounts/accounts.ts';
import type { AccountPictures } from '../accounts/pictures.ts';
import { ApiError, invalidParameter, missingParameter } from '../http/errors.ts';
import { DOWNLOAD_HEADERS, operationsFor } from '../http/operation.ts';
import { flag, integer, listOfIntegers, text } from '../http/request/parameters.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import { t } from '../messages/messages.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { AccountDetails } from './account-details.ts';
import { accountParameters, accountReply, changesIn, PARAMETER_OF } from './account-parameters.ts';
import type { AdminRules } from './admin-rules.ts';
import { sendAvatar } from './avatar.ts';
import type { ManageAccounts } from './manage-accounts.ts';

const { json, content } = operationsFor<Principal, Scope>();

export interface AdminUsersParts {
  readonly accounts: Accounts;
  readonly details: AccountDetails;
  readonly manage: ManageAccounts;
  readonly rules: AdminRules;
  readonly pictures: Pick<AccountPictures, 'read'>;
}

/** §4.2, admin-users: what administrators do with accounts in their reach. */
export function adminUsersOperations(parts: AdminUsersParts) {
  return [info(parts), avatar(parts), add(parts), edit(parts), remove(parts)];
}

const LARGEST_ID = 2 ** 31;

const info = ({ accounts, details, rules }: AdminUsersParts) =>
  json({
    path: 'admin-users/info',
    methods: ['POST'],
    scopes: ['admin'],
    summary: 'Get an account by `UID` or `uname`',
    params: z.object({
      UID: integer({ min: 1, max: LARGEST_ID }).optional().describe('Account ID.'),
      uname: text().optional().describe('Username.'),
    }),
    data: accountReply,
    run: async ({ principal, params: { UID, uname } }) => {
      rules.requireAdministrator(principal.account);
      if (UID === undefined && uname === undefined) throw missingParameter('UID');
      const account = UID === undefined ? await accounts.byUsername(uname ?? '') : await accounts.byId(UID);
      const found = account !== null && (await rules.maySee(principal.account, account)) ? account : null;
      if (found === null) throw noSuchAccount();
      return details.of(found);
    },
  });

const avatar = ({ accounts, rules, pictures }: AdminUsersParts) =>
  content({
    path: 'admin-users/avatar',
    methods: ['GET', 'POST'],
    scopes: ['admin'],
    summary: 'Get the picture of an account',
    description:
      'Returns the same image as `account/avatar`, for your own account and accounts that you administer; otherwise `not_found`.',
    statuses: [200, 206, 304],
    honours: DOWNLOAD_HEADERS,
    params: z.object({ UID: integer({ min: 1, max: LARGEST_ID }).describe('Account ID.') }),
    run: async ({ principal, params: { UID }, request, response }) => {
      rules.requireAdministrator(principal.account);
      const account = await accounts.byId(UID);
      if (account === null || !(await rules.maySee(principal.account, account))) throw noSuchAccount();
      await sendAvatar(pictures, account, request, response);
    },
  });

const add = ({ manage, rules }: AdminUsersParts) =>
  json({
    path: 'admin-users/add',
    methods: ['POST'],
    scopes: ['admin'],
    summary: 'Add an account',
    description:
      'Without a password or `generate_password`, the account cannot sign in until a password is set. Omitted permissions have their defaults, limited to the administrator’s own permissions.',
    params: accountParameters,
    data: z.object({ uid: z.string(), generated_password: z.string().optional() }),
    run: async ({ principal, params }) => {
      rules.requireAdministrator(principal.account);
      const { username, name, ...changes } = changesIn(params);
      if (username === undefined || username === '') throw missingParameter('data[username]');
      if (name === undefined || name === '') throw missingParameter('data[name]');
      const { input, authority } = await rules.forNew(principal, { ...changes, username, name });
      const { account, generatedPassword } = await speaking(() => manage.add(input, authority));
      return { uid: String(account.id), ...passwordOf(generatedPassword) };
    },
  });

const edit = ({ accounts, manage, rules }: AdminUsersParts) =>
  json({
    path: 'admin-users/edit',
    methods: ['POST'],
    scopes: ['admin'],
    summary: 'Change an account',
    description:
      'Omitted parameters remain unchanged. An empty value resets a parameter to its default; for a boolean it means false. Changing the password or deactivating the account ends all its sessions and tokens immediately.',
    params: accountParameters.extend({ UID: integer({ min: 1, max: LARGEST_ID }).describe('Account ID.') }),
    data: z.object({ generated_password: z.string().optional() }),
    run: async ({ principal, params: { UID, ...params } }) => {
      rules.requireAdministrator(principal.account);
      const account = await accounts.byId(UID);
      if (account === null || !(await rules.mayManage(principal.account, account))) throw noSuchAccount();
      const { input, authority } = await rules.forChange(principal, account, changesIn(params));
      const edited = await speaking(() => manage.edit(UID, input, authority));
      if (edited === null) throw noSuchAccount();
      return passwordOf(edited.generatedPassword);
    },
  });

const remove = ({ accounts, manage, rules }: AdminUsersParts) =>
  json({
    path: 'admin-users/delete',
    methods: ['POST'],
    scopes: ['admin'],
    summary: 'Delete accounts',
    description:
      'Each ID has its own result. Home folders remain where they are; with `deleteHomeFolder` they are moved to the server’s trash, which only the owner can empty.',
    params: z.object({
      UIDS: listOfIntegers({ min: 1, max: LARGEST_ID, most: 1_000 }).describe('Account IDs.'),
      deleteHomeFolder: flag().default(false).describe('Move the home folders to the server’s trash.'),
    }),
    data: z.record(z.string(), z.object({ success: z.boolean(), message: z.string() })),
    run: async ({ principal, params: { UIDS, deleteHomeFolder } }) => {
      rules.requireAdministrator(principal.account);
      const results: Record<string, { success: boolean; message: string }> = {};
      for (const id of new Set(UIDS)) results[String(id)] = await removeOne(id);
      return results;

      async function removeOne(id: number): Promise<{ success: boolean; message: string }> {
        const refused = (message: string) => ({ success: false, message });
        if (id === principal.account.id) return refused(t('api.accounts.deleteSelf'));
        const account = await accounts.byId(id);
        if (account === null || !(await rules.mayManage(principal.account, account))) {
          return refused(t('api.accounts.notFound'));
        }
        if (id === OWNER_ID) return refused(t('api.accounts.deleteOwner'));
        try {
          const removed = await manage.remove(id, { deleteHomeFolder }, rules.forRemoval(principal));
          if (removed === null) return refused(t('api.accounts.notFound'));
          const { homeProblem } = removed;
          return {
            success: true,
            message:
              homeProblem === null
                ? t('api.accounts.deleted')
                : t('api.accounts.deletedHomeStays', { problem: homeProblem }),
          };
        } catch (error) {
          if (error instanceof ApiError || error instanceof FieldProblem) return refused(error.message);
          throw error;
        }
      }
    },
  });

function passwordOf(generated: string | null): { generated_password?: string } {
  return generated === null ? {} : { generated_password: generated };
}

function noSuchAccount(): ApiError {
  return new ApiError('not_found', t('api.accounts.notFound'));
}

/** Converts an invalid value to a reply that names the parameter. */
async function speaking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsernameInUse) {
      throw new ApiError('username_in_use', error.message, { details: { parameter: 'data[username]' } });
    }
    if (!(error instanceof FieldProblem)) throw error;
    const parameter = PARAMETER_OF[error.field] ?? error.field;
    throw invalidParameter(parameter, t('api.parameters.refused', { parameter, problem: error.message }));
  }
}
