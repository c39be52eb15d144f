import { quotaOf } from '../access/quota.ts';
import type { Homes } from '../catalogue/homes.ts';
import type { Database } from '../database/database.ts';
import { ListingBodies } from '../listing/listing-bodies.ts';
import { diskSpace } from '../storage/inspect.ts';
import type { DavContext } from '../webdav/context.ts';
import { type DavProtocolParts, davProtocol } from '../webdav/protocol.ts';

/** WebDAV beside the API, over the same files, and what other protocols need to store files as it does. */
export function composeWebdav({
  basePath,
  files,
  listing,
  stars,
  spaceOf,
  isOwnHost,
  ...parts
}: Omit<DavContext, 'bodies'> & Omit<DavProtocolParts, 'context'>) {
  const context: DavContext = { files, listing, stars, basePath, bodies: new ListingBodies(), spaceOf, isOwnHost };
  return { protocol: davProtocol({ ...parts, context }), context };
}

/** The space of an account for its files. */
export function composeSpace({
  database,
  homes,
  files,
}: Pick<DavContext, 'files'> & {
  readonly database: Pick<Database, 'get'>;
  readonly homes: Pick<Homes, 'byId'>;
}): DavContext['spaceOf'] {
  return async ({ account }) => {
    if (account.homeId === null) return null;
    const row = await database.get<{ used: number }>('SELECT used FROM homes WHERE id = ?', [account.homeId]);
    const home = await homes.byId(account.homeId);
    const used = row?.used ?? 0;
    const quota = quotaOf([account]) ?? Number.POSITIVE_INFINITY;
    if (home === null) return null;
    const { homeRoot } = home;
    const disk = await files.disk.whileAnswering(homeRoot, () => diskSpace(homeRoot.root)).catch(() => null);
    return disk && { used, available: Math.max(0, Math.min(quota - used, disk.free)) };
  };
}
