import type { Quotas } from '../../access/quota.ts';
import { bindOperations } from '../../http/bind.ts';
import { ListingBodies } from '../../listing/listing-bodies.ts';
import { nextcloudProtocol } from '../../nextcloud/protocol.ts';
import { diskSpace } from '../../storage/inspect.ts';
import { createTus } from '../../tus/protocol.ts';
import { removeOldRecords } from '../../tus/records.ts';
import type { DavContext } from '../../webdav/context.ts';
import { davProtocol } from '../../webdav/protocol.ts';
import type { OpenedParts } from '../opened.ts';
import type { Storage } from '../storage.ts';
import type { AppOperation } from './operations.ts';

interface ProtocolOptions extends Pick<DavContext, 'isOwnHost'> {
  readonly operations: readonly AppOperation[];
}

/** What apps and programs connect by: the API, WebDAV, what apps made for Nextcloud ask for beside it, and tus. */
export function composeProtocols(
  { base: { config, clock }, storage, identity, files, sharing }: OpenedParts,
  { operations, isOwnHost }: ProtocolOptions,
) {
  const { basePath } = config;
  const { homes, settings } = storage;
  const { uploads, activeResponses, stars } = files;
  const now = () => clock.now();
  const onCall: Parameters<typeof davProtocol>[0]['onCall'] = ({ account }, response, isAllowed) =>
    activeResponses.begin(account.id, response, isAllowed);
  const spaceOf = spaceIn(storage, uploads.quotas);
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
    removeOldTusRecords: () => removeOldRecords(uploads.uploadRows, now()),
  };
}

/** The space of an account for its files: that of its home, which it may share with other accounts. */
function spaceIn({ homes, disk }: Pick<Storage, 'homes' | 'disk'>, quotas: Quotas): DavContext['spaceOf'] {
  return async ({ account }) => {
    const home = account.homeId === null ? null : await homes.byId(account.homeId);
    if (home === null) return null;
    const { used, quota } = await quotas.usage(home);
    const { homeRoot } = home;
    const space = await disk.whileAnswering(homeRoot, () => diskSpace(homeRoot.root)).catch(() => null);
    const left = (quota ?? Number.POSITIVE_INFINITY) - used;
    return space && { used, available: Math.max(0, Math.min(left, space.free)) };
  };
}
