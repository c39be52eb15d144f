import { OWNER_ID } from '../../accounts/accounts.ts';
import { mayOpenPanel, mayOpenPanelHere } from '../../accounts/permissions/account-status.ts';
import { createPendingSignIns } from '../../accounts/sign-in/pending-sign-ins.ts';
import { createPhotoMap } from '../../catalogue/photo-places.ts';
import { createPhotoTimelines } from '../../catalogue/photos.ts';
import { isFromThisComputer } from '../../http/connection/client-address.ts';
import { createHourlyLimit } from '../../lib/concurrency/hourly-limit.ts';
import { storageUseOf } from '../../listing/storage-use.ts';
import { passwordResetMail } from '../../mail/mails.ts';
import { createConnectedApps } from '../../oauth/connected-apps.ts';
import { tileOrigin } from '../../settings/tile-template.ts';
import { createLooks } from '../../web/files/listing/looks.ts';
import { createPages, type Pages } from '../../web/routes.ts';
import { createContentTickets } from '../../web/shell/content-tickets.ts';
import { linkPlaceOf } from '../../web/shell/link-place.ts';
import type { OpenedParts } from '../opened.ts';
import type { Network } from './network.ts';

/** Most comments from one address at one link: enough for a conversation, too few to fill the disk. */
const COMMENTS_AN_HOUR = 40;

/** Most new browser cookies for one address at web links: enough for many people behind one connection. */
const BROWSERS_AN_HOUR = 500;

/** Composes the pages of the household, and those of the owner on this machine. */
export function composePages(
  opened: OpenedParts,
  { certificates, outside, failedHandshakes, addresses, listeners }: Network,
): Pages {
  const { identity } = opened;
  const { config, events, clock, log } = opened.base;
  const { database, settings, activity } = opened.storage;
  const { context, uploads, activeResponses, thumbnailParts, stars, albums, imports, comments, metadata } =
    opened.files;
  const { people, context: sharing, albumShares, weblinks, listing } = opened.sharing;
  const { basePath } = config;
  const { accounts, mailer, loginFlows } = identity;
  const photoTimeline = createPhotoTimelines(database);
  const keepsPages = () => settings.values.serviceWorker;
  return createPages({
    basePath,
    householdName: () => settings.values.householdName,
    keepsPages,
    trust: {
      certificates,
      failedHandshakes,
      outside,
      allowsApps: () => loginFlows.isEnabled(),
      addresses: () => listeners.where().addresses,
      lanAddresses: addresses,
    },
    flow: {
      ...identity,
      database,
      events,
      clock,
      log,
      activity,
      files: uploads,
      activeResponses,
      listing,
      thumbnails: thumbnailParts.thumbnails,
      stars,
      albumsContext: { ...context, ...listing, albums, sharing, albumShares },
      importsContext: imports.context,
      commentsContext: { ...context, comments },
      metadataContext: metadata.context,
      sharing,
      guestLinks: sharing.guestLinks,
      weblinks: weblinks.context,
      changePassword: people.changePassword,
      appPasswordsContext: people.appPasswordsContext,
      pendingSignIns: createPendingSignIns(clock),
      looks: createLooks(database, clock),
      photoTimeline,
      photoMap: createPhotoMap(database, photoTimeline),
      contentTickets: createContentTickets(clock),
      commentLimit: createHourlyLimit(clock, COMMENTS_AN_HOUR),
      browserLimit: createHourlyLimit(clock, BROWSERS_AN_HOUR),
      connectedApps: createConnectedApps(database, clock, identity.tokens),
      isApiEnabled: () => settings.values.apiEnabled,
      keepsPages,
      mapTiles: () => {
        const { mapTileUrl: url, mapTileAttribution: attribution, mapTileZoom: zoom } = settings.values;
        return url === '' ? null : { url, attribution, zoom, origin: tileOrigin(url) };
      },
      allowsPrograms: () => settings.values.apiEnabled && settings.values.webdav,
      trashDays: () => settings.values.trashDays,
      ownerName: async () => (await accounts.byId(OWNER_ID))?.name ?? '',
      storageUse: (homeId) => storageUseOf(database, homeId),
      linkPlace: (request) => linkPlaceOf(request, { outside, certificates, basePath }),
      panelFor: (request, account) => {
        const isHere = isFromThisComputer(request) && mayOpenPanelHere(account);
        const isAllowed = isHere || (settings.values.remotePanel && mayOpenPanel(account));
        return isAllowed ? `${basePath}/panel/` : null;
      },
      canReset: () => mailer.isSetUp() && settings.values.baseUrl !== '',
      mailReset: (account, path) => {
        const { householdName: household, baseUrl } = settings.values;
        const url = `${baseUrl.replace(/\/$/, '')}${path}`;
        mailer.send(passwordResetMail({ to: account.email, name: account.name, household, url }));
      },
    },
  });
}
