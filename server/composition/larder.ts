import { hostname } from 'node:os';
import { createAccess } from '../access/access.ts';
import { createQuotas } from '../access/quota.ts';
import { createSharedAccess } from '../access/shared.ts';
import { createUuidAccess } from '../access/uuid-access.ts';
import { createAccountPictures } from '../accounts/pictures.ts';
import { createActivity } from '../activity/activity.ts';
import { createAnnouncer } from '../announce/announcer.ts';
import { createBackups } from '../backup/backups.ts';
import { createConfirmations } from '../backup/confirm/confirmations.ts';
import { createHomes, type Home } from '../catalogue/homes.ts';
import { createKnownContents } from '../catalogue/known-contents.ts';
import { createRememberNew } from '../catalogue/remember-new.ts';
import { createComments } from '../comments/comments.ts';
import { commentOperations } from '../comments/operations.ts';
import { isTestBuild } from '../config/test-build.ts';
import type { Dispatcher } from '../control/dispatcher.ts';
import { createRemotePanel } from '../control/panel/remote-panel.ts';
import type { FilesContext } from '../files/context.ts';
import { createJournal } from '../files/journal/journal.ts';
import { nothingToRecover, recover } from '../files/journal/recover.ts';
import { recoveryProblems } from '../files/journal/recovery-report.ts';
import { FolderLocks } from '../files/locks/folder-locks.ts';
import { lockedIn } from '../files/locks/locks.ts';
import { filesOperations } from '../files/operations.ts';
import { listTrash } from '../files/trash/trash.ts';
import { createChunkOrder } from '../files/upload/chunk-order.ts';
import { bindOperations, honouredHeaders } from '../http/bind.ts';
import { trustIn } from '../http/connection/client-address.ts';
import { FailedHandshakes } from '../http/connection/failed-handshakes.ts';
import { createOutsideAddress } from '../http/connection/outside-address.ts';
import { Traffic } from '../http/connection/traffic.ts';
import { openApiDocument } from '../http/openapi.ts';
import { Closers } from '../lib/async/closers.ts';
import { systemClock } from '../lib/clock.ts';
import { enableScopeGuards } from '../lib/concurrency/scope-guard.ts';
import { createEvents } from '../lib/events.ts';
import { isLoopbackHost } from '../lib/loopback-host.ts';
import { version } from '../lib/version.ts';
import { ListingBodies } from '../listing/listing-bodies.ts';
import { listingOperations } from '../listing/operations.ts';
import { createMailQueue } from '../mail/mail-queue.ts';
import { createMailer } from '../mail/mailer.ts';
import { nextcloudProtocol } from '../nextcloud/protocol.ts';
import { discovery } from '../oauth/discovery.ts';
import { revocationEndpoint } from '../oauth/revocation-endpoint.ts';
import { SCOPES } from '../oauth/scopes.ts';
import { tokenEndpointInTime } from '../oauth/token-endpoint-in-time.ts';
import { createQuotaWarnings } from '../people/quota-warnings.ts';
import { openClockWatch } from '../settings/clock-watch.ts';
import { openSettings } from '../settings/settings.ts';
import { createShares } from '../shares/shares.ts';
import { starOperations } from '../stars/operations.ts';
import { createStars } from '../stars/stars.ts';
import { FolderFlushes } from '../storage/folder-flushes.ts';
import { areaIn, layoutOf } from '../storage/layout.ts';
import { disksUnder as systemDisksUnder } from '../storage/underlying-disks.ts';
import { openCertificates } from '../tls/certificates.ts';
import { lanAddresses } from '../tls/lan-addresses.ts';
import { announcedName } from '../tls/names.ts';
import { forkWorker } from '../workers/pool/fork-worker.ts';
import { createMemoryBudget, usualWorkerMemory } from '../workers/pool/memory-budget.ts';
import { openWorkerPools } from '../workers/pool/pools.ts';
import { composeAccounts } from './accounts.ts';
import { composeActiveResponses } from './active-responses.ts';
import { createApp } from './app.ts';
import { composeCatalogue } from './catalogue.ts';
import { composeControl } from './control.ts';
import { openInstallation } from './installation.ts';
import type { LarderOptions } from './larder-options.ts';
import { createServing, type Serving } from './listeners.ts';
import { createMaintenance, type Maintenance } from './maintenance.ts';
import { composeMedia } from './media.ts';
import { composeMetadata } from './metadata.ts';
import { composePeople } from './people.ts';
import { composeSharing } from './sharing.ts';
import { composeThumbnails } from './thumbnails.ts';
import { composeTus, type TusParts } from './tus.ts';
import { composePages } from './web.ts';
import { composeSpace, composeWebdav } from './webdav.ts';
import { composeWeblinks } from './weblinks.ts';

export type { LarderOptions } from './larder-options.ts';

/** An open installation: its folder is locked and everything is ready, but nothing listens yet. */
export interface Larder {
  readonly dispatcher: Dispatcher;
  readonly certificates: Awaited<ReturnType<typeof openCertificates>>;
  /** Runs on request; the periodic run is `maintenanceIfClockTrusted`. */
  readonly maintenance: Maintenance['maintenance'];
  readonly maintenanceIfClockTrusted: Maintenance['maintenanceIfClockTrusted'];
  /** The check made every minute for a due backup. */
  backUpIfDue(): Promise<void>;
  /** Opens the listeners. */
  serve(): Promise<Serving>;
  /** Called with every change of the server's addresses, once the certificate covers them. */
  onAddresses(listener: (addresses: readonly string[]) => void): void;
  /** Whether a blocked disk or a part that did not close in time keeps the process from exiting on its own. Asked after closing. */
  isHeld(): boolean;
  close(): Promise<void>;
}

/**
 * The composition root: the only place that creates parts, in the order of their dependencies.
 * @throws FolderProblem, FolderInUse, DatabaseLost, or an Error that names the damaged file
 */
export async function openLarder({
  config,
  log,
  clock = systemClock,
  addresses = lanAddresses,
  network,
  spawnWorker = forkWorker,
  publicAuthorities,
  disksUnder = systemDisksUnder,
}: LarderOptions): Promise<Larder> {
  if (isTestBuild()) enableScopeGuards();
  const layout = layoutOf(config.folder);
  const openedAt = clock.now();
  const closers = new Closers(log);
  try {
    const events = createEvents((error, name) => log.error({ err: error, event: name }, 'a listener failed'));
    const { database, reserve, problems, isReadOnly, seal } = await openInstallation(
      layout,
      config.homeAccess,
      log,
      closers,
    );
    const clockWatch = await openClockWatch({ layout, database, clock, log });
    const settings = await openSettings(database, events);
    const activity = createActivity({
      database: database.activity,
      events,
      clock,
      log,
      keepDays: () => settings.values.activityDays,
    });
    closers.add('activity', () => activity.close());
    const announcedHost = isLoopbackHost(config.host) ? null : announcedName(hostname());
    const certificates = await openCertificates({
      folder: layout.tls,
      hostname: hostname(),
      ...(announcedHost === null ? {} : { announcedHost }),
      extraNames: config.name,
      addresses,
      clock,
      log,
    });
    const identity = await composeAccounts({ database, settings, clock, events });
    const { accounts, clients, tokens, codes, sessions, signIn } = identity;
    const mailer = createMailer({ settings: () => settings.values, log });
    closers.add('mailer', () => mailer.close());
    const mails = createMailQueue({ database: database.activity, mailer, clock, log });
    closers.add('mails', () => mails.close());
    const quotaWarnings = createQuotaWarnings({ database, events, settings, mails, clock, log });
    closers.add('quota warnings', () => quotaWarnings.close());
    const homes = createHomes(database, layout, clock);
    const memory = createMemoryBudget(config.workerMemory ?? usualWorkerMemory());
    const workers = openWorkerPools(spawnWorker, log, { wasmImages: config.images === 'wasm', memory });
    closers.add('workers', () => workers.close());
    const { images, archives, texts } = workers;
    const pictures = createAccountPictures({
      database,
      clock,
      decode: async (bytes) => (await images.run('picture', { bytes })).bytes,
    });
    const part = composeCatalogue({ database, homes, config, settings, events, clock, log });
    closers.add('catalogue', () => part.close());
    const { disk, stalls, pathLocks, catalogue, reconciler, backgroundDisk, throttle, itemCounts, hashing } = part;
    const media = composeMedia({
      ...{ database, homes, disk, backgroundDisk, spawnWorker, memory, throttle, events, clock, log },
    });
    closers.add('media', () => media.stop());
    const journal = createJournal(database.files, clock);
    const shares = createShares(database.files, clock);
    const paths = createAccess(homes, createSharedAccess({ shares, accounts, homes, database, clock }), database);
    const access = createUuidAccess(paths, { database, catalogue });
    const { failPoints, basePath } = config;
    const activeResponses = composeActiveResponses(database, events, log);
    const files: FilesContext = {
      access,
      area: areaIn(layout.larder),
      quotas: createQuotas(database),
      catalogue,
      contents: createKnownContents(database.files),
      rememberNew: createRememberNew(database.files),
      folderFlushes: new FolderFlushes(),
      database: database.files,
      disk,
      reserve,
      pathLocks,
      folderLocks: new FolderLocks(),
      journal,
      settings,
      chunksInProgress: new Map(),
      chunkOrder: createChunkOrder(),
      archives,
      texts,
      activeResponses,
      events,
      clock,
      log,
      failPoints,
    };
    const recovery = isReadOnly ? nothingToRecover : await recover(files, homes, layout);

    const people = composePeople({
      ...{ config, database, clock, events, settings, ...identity, pictures, homes, files, layout, reconciler },
      ...{ itemCounts, mails },
    });
    const { changePassword, appPasswordsContext, groups } = people;
    const sharing = composeSharing({
      ...{ files, database, accounts, groups, shares, sessions, tokens, settings, mails, mailer, basePath },
    });

    const weblinks = await composeWeblinks({ files, accounts, mails, basePath });
    closers.add('link notices', () => weblinks.context.notices.close());
    closers.add('link counts', () => weblinks.context.counts.close());

    const thumbnailParts = composeThumbnails({
      ...{ config, layout, database, files, homes, pool: workers.thumbnails, throttle },
    });
    closers.add('thumbnails', () => thumbnailParts.close());
    const { thumbnails } = thumbnailParts;

    const stars = createStars(database.files, clock);
    const comments = createComments(database.files, clock);
    const commentsContext = { ...files, comments };
    const metadata = composeMetadata(files, { database, accounts, embedded: media.embedded });
    const listing = {
      ...files,
      stars,
      thumbnails,
      links: weblinks.context.links,
      trash: (home: Home) => listTrash(files, home),
      locked: (home: Home) => lockedIn(files, home),
      commentCounts: ({ id }: Home) => comments.countsIn(id),
      labels: metadata.labels,
      definitions: metadata.context.definitions,
      confirmations: createConfirmations({ database, layout, disksUnder }),
    };
    const operations = [
      ...people.operations,
      ...listingOperations({ ...listing, bodies: new ListingBodies() }, basePath),
      ...starOperations(files, stars),
      ...commentOperations(commentsContext),
      ...metadata.operations,
      ...filesOperations(files),
      ...thumbnailParts.operations,
      ...sharing.operations,
      ...weblinks.operations,
    ];
    const failedHandshakes = new FailedHandshakes();
    const outside = createOutsideAddress({ settings: () => settings.values, basePath, authorities: publicAuthorities });
    const pages = composePages({
      ...{ config, database, ...identity, changePassword, appPasswordsContext },
      ...{ guestLinks: sharing.guestLinks, sharing: sharing.context, weblinks: weblinks.context },
      ...{ pictures, certificates, settings, mailer, events, clock, log },
      ...{ files, listing, thumbnails, stars, commentsContext, metadataContext: metadata.context, activeResponses },
      ...{ failedHandshakes, outside, addresses: () => serving.where().addresses, lanAddresses: addresses },
    });
    const isApiEnabled = () => settings.values.apiEnabled;
    const token = tokenEndpointInTime({ clients, tokens, accounts, codes, clock, signIn, isApiEnabled, log });
    const openApi = openApiDocument(operations, {
      ...{ title: 'Larder', version },
      scopes: SCOPES,
      ...{ apiPath: '/api.php', authorizationPath: '/oauth2/authorize/', tokenPath: '/oauth2/token/' },
      basePath,
    });
    const now = () => clock.now();
    const onCall: TusParts['onCall'] = ({ account }, response, isAllowed) =>
      activeResponses.begin(account.id, response, isAllowed);
    const spaceOf = composeSpace({ database, homes, files });
    const isKnownHost = (host: string, at: string) => certificates.covers(host) || outside.isKnownHost(host, at);
    const isOwnHost = (host: string, at: string) => certificates.isNamed(host) || outside.isKnownHost(host, at);
    const forPrograms = { basePath, spaceOf, isOwnHost, now, authenticate: identity.authenticateProgram, onCall };
    const webdav = composeWebdav({ ...forPrograms, files, listing, stars });
    const nextcloud = nextcloudProtocol({
      ...{ ...forPrograms, appPasswords: identity.appPasswords, flows: identity.loginFlows },
      ...{ dav: webdav.context, homes, thumbnails, pictures, accounts, groups: people.groups },
      ...{ sharing: sharing.context, weblinks: weblinks.context },
      householdName: () => settings.values.householdName,
      isEnabled: () => settings.values.nextcloudApps && settings.values.webdav,
    });
    const tus = composeTus({ files, homes, basePath, authenticate: identity.bearer, onCall });
    let stopping = false;
    let isServingLate = () => false;
    const signingIn = { accounts, signIn, settings, events, clock, log };
    const remotePanel = createRemotePanel({ ...signingIn, database, dispatcher: () => dispatcher });
    closers.add('remote panel', () => remotePanel.close());
    const app = createApp({
      log,
      basePath,
      trustsProxy: trustIn(() => settings.values.trustedProxies),
      isApiEnabled,
      allows: (protocol) => settings.values[protocol],
      isStopping: () => stopping,
      throttle,
      allowsHttp: () => settings.values.httpTesting,
      isKnownHost,
      openApi,
      stalledDisks: () => stalls.count,
      authority: () => certificates.authority.pem,
      honouredHeaders: honouredHeaders(operations),
      api: bindOperations({ operations, now, authenticate: identity.bearer, onCall }),
      nextcloud,
      webdav: webdav.protocol,
      tus: tus.protocol,
      token,
      revoke: revocationEndpoint({ clients, tokens }),
      discovery,
      pages: pages.household,
      panel: remotePanel.handle,
    });

    const isInLine = (homeId: string) =>
      reconciler.progress().some((one) => one.homeId === homeId && one.state === 'ready');
    const { tidyGuests } = sharing;
    const tidyTasks = { tidyGuests, tidyLinks: weblinks.tidy, tidyThumbnails: thumbnailParts.tidy };
    const { maintenance, maintenanceIfClockTrusted } = createMaintenance(
      { ...identity, activity, homes, files, isInLine, ...tidyTasks, tidyTus: tus.tidy },
      clockWatch,
    );
    const hasOwner = async () => (await accounts.count()) > 0;
    const traffic = new Traffic();
    const serving = createServing({
      traffic,
      failedHandshakes,
      config,
      layout,
      app,
      certificates,
      settings,
      events,
      clock,
      log,
      addresses,
      announcer: createAnnouncer({ log, network }),
      announcedHost,
      hasOwner,
      maintenance: maintenanceIfClockTrusted,
    });
    const backups = createBackups({
      ...{ layout, database, settings, homes, disk: backgroundDisk, throttle, events, clock, log, failPoints },
      disksUnder,
      extraNames: config.name,
    });
    closers.add('backups', () => backups.close());
    const dispatcher = composeControl({
      ...{ config, layout, database, events, settings, accounts, activity, clients, mailer, mails, homes, outside },
      ...{ certificates, serving, reconciler, media, disk, catalogue, pathLocks, images, people },
      ...{ itemCounts, hashing },
      ...{ metadata, thumbnails: thumbnailParts, traffic, weblinks: weblinks.context },
      ...{ sharing: sharing.context, backups, clock, log, addresses, openedAt },
      openingProblems: problems,
      problems: () => [...problems, ...recoveryProblems(recovery), ...stalls.problems()],
      ...{ hasOwner, app, operations, openApi },
    });
    seal();
    return {
      dispatcher,
      certificates,
      maintenance,
      maintenanceIfClockTrusted,
      backUpIfDue: backups.tick,
      onAddresses: serving.onAddresses,
      isHeld: () => part.isHeld() || closers.late.length > 0 || isServingLate(),
      async serve() {
        const started = await serving.start(dispatcher);
        isServingLate = started.isLate;
        // Without a limit: its parts have limits of their own.
        closers.add('listeners', started.close, Number.POSITIVE_INFINITY);
        closers.add('requests', () => {
          stopping = true;
          remotePanel.close();
        });
        if (!isReadOnly) reserve.start();
        part.start();
        media.start();
        mails.start();
        weblinks.context.notices.start();
        backups.start();
        return started;
      },
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
