import { type AccountCaller, rightsOf } from '../access/caller.ts';
import { permit } from '../access/rights.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Albums } from '../albums/albums.ts';
import type { Home } from '../catalogue/homes.ts';
import type { Throttle } from '../catalogue/reconcile/throttle.ts';
import type { ArchiveContext } from '../files/zip/context.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { refuseIdleAccount } from '../oauth/bearer.ts';
import type { Stars } from '../stars/stars.ts';
import type { ImportRecord, Imports } from './imports.ts';

/** What imports work with. */
export interface ImportContext extends ArchiveContext {
  readonly imports: Imports;
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly albums: Pick<Albums, 'of' | 'add' | 'addItems'>;
  /** Lets requests come first. */
  readonly throttle: Pick<Throttle, 'quiet'>;
  readonly stars: Pick<Stars, 'add' | 'of'>;
  /** Of what in the household a folder of the disk is a part now, or contains; null for any other. */
  readonly ownPlace: (folder: string) => Promise<'larder' | 'home' | null>;
}

/** For whom an import works, and where. */
export interface Importing {
  readonly caller: AccountCaller;
  readonly home: Home;
}

/**
 * The account of an import as it is now, with its home: an import takes long, and outlives the request and the credential that
 * started it.
 * @throws ApiError when the account may no longer import, or has no home
 */
export async function importingFor(
  { accounts, access, clock }: Pick<ImportContext, 'accounts' | 'access' | 'clock'>,
  { accountId, channel }: Pick<ImportRecord, 'accountId' | 'channel'>,
): Promise<Importing> {
  const account = await accounts.byId(accountId);
  if (account === null) throw new ApiError('not_found', t('api.access.notFound'));
  refuseIdleAccount(account, clock.now(), true);
  const caller: AccountCaller = { account, channel, client: null, address: null };
  permit(rightsOf(caller), 'imports/add');
  return { caller, home: await access.homeOf(caller) };
}
