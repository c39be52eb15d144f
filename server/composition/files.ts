import { createAccess } from '../access/access.ts';
import { createQuotas } from '../access/quota.ts';
import { createSharedAccess } from '../access/shared.ts';
import { createUuidAccess } from '../access/uuid-access.ts';
import { createAlbums } from '../albums/albums.ts';
import { createComments } from '../comments/comments.ts';
import type { Database } from '../database/database.ts';
import type { ContentContext } from '../files/content-context.ts';
import type { FilesContext } from '../files/context.ts';
import { createJournal } from '../files/journal/journal.ts';
import { nothingToRecover, recover } from '../files/journal/recover.ts';
import { createJournalRepair } from '../files/journal/repair.ts';
import { FolderLocks } from '../files/locks/folder-locks.ts';
import { createChunkOrder } from '../files/upload/chunk-order.ts';
import { type ActiveResponses, createActiveResponses } from '../http/connection/active-responses.ts';
import type { Events } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import { createEmbeddedIndex } from '../media/embedded/embedded-index.ts';
import { createTextIndex } from '../media/text/text-index.ts';
import { createShares } from '../shares/shares.ts';
import { createStars } from '../stars/stars.ts';
import { areaIn } from '../storage/layout.ts';
import type { Base } from './base.ts';
import type { Identity } from './identity.ts';
import { composeImports } from './imports.ts';
import { composeMetadata } from './metadata.ts';
import type { Storage } from './storage.ts';
import { composeThumbnails } from './thumbnails.ts';

export type Files = Awaited<ReturnType<typeof openFiles>>;

/** The operations on files, what is read from files in the background, and what people add to them. Completes what a crash interrupted. */
export async function openFiles(base: Base, storage: Storage, { accounts }: Identity) {
  const { config, layout, events, clock, log, closers } = base;
  const { database, homes, catalogue, backgroundDisk, disk, workers } = storage;
  const inBackground = { ...base, ...storage, disk: backgroundDisk };
  const texts = createTextIndex(inBackground);
  const embedded = createEmbeddedIndex({ ...inBackground, quick: disk });
  closers.add('text index', () => texts.stop());
  closers.add('embedded metadata', () => embedded.stop());
  const shares = createShares(database.files, clock);
  const activeResponses = composeActiveResponses(database, events, log);
  const paths = createAccess(homes, createSharedAccess({ shares, accounts, homes, database, clock }), database);
  const context: FilesContext = {
    access: createUuidAccess(paths, { database, catalogue }),
    quotas: createQuotas(database),
    catalogue,
    database: database.files,
    disk,
    reserve: storage.reserve,
    pathLocks: storage.pathLocks,
    folderLocks: new FolderLocks(),
    journal: createJournal(database.files, clock),
    settings: storage.settings,
    events,
    clock,
    log,
    failPoints: config.failPoints,
  };
  const uploads: ContentContext = {
    ...context,
    area: areaIn(layout.larder),
    uploadRows: database.activity,
    chunksInProgress: new Map(),
    chunkOrder: createChunkOrder(),
    texts: workers.texts,
    activeResponses,
  };
  const recovery = storage.isReadOnly ? nothingToRecover : await recover(uploads, homes, layout);
  const journalRepair = createJournalRepair(context, homes, layout);
  closers.add('journal repair', () => journalRepair.stop());
  const thumbnailParts = composeThumbnails({ ...base, ...storage, files: context, pool: workers.thumbnails });
  closers.add('thumbnails', () => thumbnailParts.close());
  const stars = createStars(database.files, clock);
  const albums = createAlbums(database.files, clock);
  const imports = composeImports(
    { ...context, archives: workers.archives, throttle: storage.throttle, stars, albums },
    accounts,
    { larder: layout.folder, homes },
  );
  closers.add('imports', () => imports.importer.stop());
  return {
    context,
    uploads,
    archives: workers.archives,
    activeResponses,
    recovery,
    journalRepair,
    shares,
    media: { texts, embedded },
    thumbnailParts,
    stars,
    albums,
    imports,
    comments: createComments(database.files, clock),
    metadata: composeMetadata(context, { database, accounts, embedded }),
    /** Begins to read files in the background, and continues imports. */
    start() {
      texts.start();
      embedded.start();
      if (!storage.isReadOnly) journalRepair.start();
      imports.importer.start();
    },
  };
}

/** The responses in progress: an account that may no longer act gets no further byte. */
function composeActiveResponses(database: Database, events: Events, log: Log): ActiveResponses {
  const activeResponses = createActiveResponses(() => database.unchangedSince('accounts'), log);
  // Blocks by wrong passwords of others end nothing.
  events.on('account.deactivated', ({ accountId, reason }) => {
    if (reason === 'administrator') activeResponses.stop(accountId);
  });
  events.on('account.deleted', ({ accountId }) => activeResponses.stop(accountId));
  return activeResponses;
}
