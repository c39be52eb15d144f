import { quotaOf } from '../access/quota.ts';
import { bindOperations } from '../http/bind.ts';
import { ListingBodies } from '../listing/listing-bodies.ts';
import { nextcloudProtocol } from '../nextcloud/protocol.ts';
import { diskSpace } from '../storage/inspect.ts';
import { createTus } from '../tus/protocol.ts';
import { removeOldRecords } from '../tus/records.ts';
import type { DavContext } from '../webdav/context.ts';
import { davProtocol } from '../webdav/protocol.ts';
import type { Base } from './base.ts';
import type { Files } from './files.ts';
import type { Identity } from './identity.ts';
import type { AppOperation } from './operations.ts';
import type { Sharing } from './sharing.ts';
import type { Storage } from './storage.ts';

interface ProtocolOptions extends Pick<DavContext, 'isOwnHost'> {
  readonly operations: readonly AppOperation[];
}

/** What apps and programs connect by: the API, WebDAV, what apps made for Nextcloud ask for beside it, and tus. */
export function composeProtocols(
  { config, clock }: Base,
  storage: Storage,
  identity: Identity,
  files: Files,
  sharing: Sharing,
  { operations, isOwnHost }: ProtocolOptions,
) {
  const { basePath } = config;
  const { homes, settings } = storage;
  const { uploads, activeResponses, stars } = files;
  const now = () => clock.now();
  const onCall: Parameters<typeof davProtocol>[0]['onCall'] = ({ account }, response, isAllowed) =>
    activeResponses.begin(account.id, response, isAllowed);
  const spaceOf = spaceIn(storage);
  const forPrograms = { basePath, spaceOf, isOwnHost, now, authenticate: identity.authenticateProgram, onCall };
  const dav: DavContext = {
    files: uploads,
    listing: sharing.listing,
    stars,
    basePath,
    bodies: new ListingBodies(),
    spaceOf,
    isOwnHost,
  };
  return {
    api: bindOperations({ operations, now, authenticate: identity.bearer, onCall }),
    webdav: davProtocol({ ...forPrograms, context: dav }),
    nextcloud: nextcloudProtocol({
      ...forPrograms,
      appPasswords: identity.appPasswords,
      flows: identity.loginFlows,
      dav,
      homes,
      thumbnails: files.thumbnailParts.thumbnails,
      pictures: identity.pictures,
      accounts: identity.accounts,
      groups: sharing.people.groups,
      sharing: sharing.context,
      weblinks: sharing.weblinks.context,
      householdName: () => settings.values.householdName,
      isEnabled: () => settings.values.nextcloudApps && settings.values.webdav,
    }),
    tus: createTus({ ...uploads, homes, basePath, authenticate: identity.bearer, onCall }),
    /** Runs once an hour. */
    removeOldTusRecords: () => removeOldRecords(uploads.database, now()),
  };
}

/** The space of an account for its files. */
function spaceIn({ database, homes, disk }: Pick<Storage, 'database' | 'homes' | 'disk'>): DavContext['spaceOf'] {
  return async ({ account }) => {
    if (account.homeId === null) return null;
    const row = await database.get<{ used: number }>('SELECT used FROM homes WHERE id = ?', [account.homeId]);
    const home = await homes.byId(account.homeId);
    const used = row?.used ?? 0;
    const quota = quotaOf([account]) ?? Number.POSITIVE_INFINITY;
    if (home === null) return null;
    const { homeRoot } = home;
    const space = await disk.whileAnswering(homeRoot, () => diskSpace(homeRoot.root)).catch(() => null);
    return space && { used, available: Math.max(0, Math.min(quota - used, space.free)) };
  };
}
