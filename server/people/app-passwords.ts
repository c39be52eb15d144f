import { virtualPathOf } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import { targetOfUuid } from '../access/target-of-uuid.ts';
import type { StillProved } from '../accounts/sign-in/proof-validity.ts';
import { FILES_ROOT, rootId } from '../catalogue/items.ts';
import type { ItemsContext } from '../files/context.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import { actorOf } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import { type AppPasswords, MAX_LABEL, PROGRAM_SCOPES, SHARING_SCOPES } from '../oauth/app-passwords.ts';
import type { CredentialGrant } from '../oauth/credential-grant.ts';
import { insufficientScope } from '../oauth/insufficient-scope.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { AppPasswordNotices } from './app-password-notices.ts';

export interface AppPasswordsContext {
  readonly files: ItemsContext;
  readonly appPasswords: AppPasswords;
  readonly clock: Clock;
  /** Tells people what apps created for their accounts. */
  readonly notices: AppPasswordNotices;
}

/** What an app password is to be. */
interface AppPasswordRequest {
  readonly label: string;
  readonly program: string | null;
  /** Null for all that programs can use, as far as the caller has them. */
  readonly scopes: readonly Scope[] | null;
  /** Whether it may share and make links, too: only a person grants this, and no credential can pass it on. */
  readonly mayShare: boolean;
  /** The path of a folder to limit it to; null for none. */
  readonly folder: readonly string[] | null;
  readonly isReadOnly: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

/** An invalid field of the request. */
export class AppPasswordProblem extends FieldProblem {}

/** Its limits, as they were granted. */
export type GrantedLimits = Pick<CredentialGrant, 'scopes' | 'rootUuid' | 'isReadOnly' | 'expiresAt'>;

/** A request that was checked: what the app password will be. */
export interface PlannedAppPassword {
  readonly label: string;
  readonly program: string | null;
  readonly grant: GrantedLimits;
}

/**
 * Checks a request, and limits it to what the credential of the caller may do.
 * @throws AppPasswordProblem; ApiError `insufficient_scope`, `permission_denied`, and those of the folder
 */
export async function planAppPassword(
  context: AppPasswordsContext,
  caller: AccountCaller,
  requested: AppPasswordRequest,
): Promise<PlannedAppPassword> {
  const { account, credential } = caller;
  // A guest signs in with a private link, and has no user name.
  if (account.type === 'guest') throw new ApiError('permission_denied', t('api.appPasswords.guest'));
  const label = requested.label.trim();
  const problem = labelProblem(label);
  if (problem !== null) throw new AppPasswordProblem('label', problem);
  const expiresAt = expiryFor(requested.expiresAt, credential, context.clock.now());
  const sharing = requested.mayShare && credential === undefined ? SHARING_SCOPES : [];
  const scopes = new Set([...scopesFor(requested.scopes, credential), ...sharing]);
  const rootUuid =
    requested.folder === null ? (credential?.rootUuid ?? null) : await folderUuid(context, caller, requested.folder);
  const isReadOnly = requested.isReadOnly || credential?.isReadOnly === true;
  return { label, program: requested.program, grant: { scopes, rootUuid, isReadOnly, expiresAt } };
}

/**
 * Creates an app password for the account of the caller.
 * @param authorizationId of the app that asks: the app password ends with it, and the person is told
 * @returns the password, only this time
 * @throws ApiError `conflict` for an account with too many; `invalid_token` when the proof of the caller has ended meanwhile
 */
export async function createAppPassword(
  { appPasswords, notices }: Pick<AppPasswordsContext, 'appPasswords' | 'notices'>,
  caller: AccountCaller,
  planned: PlannedAppPassword,
  proof: { readonly stillProved: StillProved; readonly authorizationId: number | null },
): Promise<{ readonly id: number; readonly password: string }> {
  const { id, username } = caller.account;
  const actor = { ...actorOf(caller, caller.account), account: { id, username } };
  const told = { account: caller.account, app: caller.client?.name ?? '', label: planned.label };
  const alongside = proof.authorizationId === null ? {} : { alongside: notices.of(told) };
  const made = await appPasswords.create({ actor, ...planned, ...proof, ...alongside });
  if (made === 'too-many') throw new ApiError('conflict', t('api.appPasswords.tooMany'));
  if (made === 'not-proved') throw new ApiError('invalid_token', t('api.appPasswords.ended'));
  return made;
}

/** The path by which the caller reaches the folder of an app password; null once they do not. */
export async function folderOf(
  { files }: Pick<AppPasswordsContext, 'files'>,
  caller: AccountCaller,
  rootUuid: string,
): Promise<string | null> {
  try {
    return virtualPathOf(await targetOfUuid(files, caller, rootUuid));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

function labelProblem(label: string): string | null {
  if (label === '') return t('api.appPasswords.labelMissing');
  if (label.length > MAX_LABEL) return t('api.accounts.tooLong', { max: MAX_LABEL });
  return /\p{Cc}/u.test(label) ? t('api.accounts.characters') : null;
}

function scopesFor(requested: readonly Scope[] | null, credential: CredentialGrant | undefined): readonly Scope[] {
  const known: readonly Scope[] = PROGRAM_SCOPES;
  const scopes = requested ?? known.filter((scope) => credential?.scopes.has(scope) !== false);
  if (scopes.length === 0) throw insufficientScope(['list'], ['list']);
  if (scopes.some((scope) => !known.includes(scope))) {
    throw new AppPasswordProblem('scopes', t('api.appPasswords.scopes', { scopes: known.join(', ') }));
  }
  const missing = scopes.filter((scope) => credential?.scopes.has(scope) === false);
  if (missing.length > 0) throw insufficientScope(missing, scopes);
  return known.filter((scope) => scopes.includes(scope));
}

function expiryFor(requested: number | null, credential: CredentialGrant | undefined, now: number): number | null {
  const latest = credential?.expiresAt ?? null;
  if (requested === null) return latest;
  if (requested <= now) throw new AppPasswordProblem('expires', t('api.appPasswords.past'));
  if (latest !== null && requested > latest) throw new AppPasswordProblem('expires', t('api.appPasswords.tooLate'));
  return requested;
}

async function folderUuid(
  { files }: Pick<AppPasswordsContext, 'files'>,
  caller: AccountCaller,
  path: readonly string[],
): Promise<string> {
  const target = await files.access.resolveItem(caller, path, 'files/browse');
  if (target.segments.length === 0) {
    const id = await rootId(files.database, target.home.id, FILES_ROOT);
    const [row] = await files.database.all<{ uuid: string }>('SELECT uuid FROM items WHERE id = ?', [id]);
    if (row === undefined) throw new Error('the root of a home is gone from the catalogue');
    return row.uuid;
  }
  return withItem(files, target, async ({ item, entry }) => {
    if (!entry.isDir) throw new AppPasswordProblem('folder', t('api.appPasswords.notFolder'));
    return item.uuid;
  });
}
