import { dirname } from 'node:path';
import type { Homes } from '../catalogue/homes.ts';
import type { Throttle } from '../catalogue/reconcile/throttle.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { FilesContext } from '../files/context.ts';
import { MEGABYTE } from '../lib/bytes.ts';
import type { Owner } from '../lib/concurrency/turn-queue.ts';
import { createThumbnailFailures } from '../media/thumbnails/failures.ts';
import { thumbnailOperations } from '../media/thumbnails/operations.ts';
import { createMadeAhead } from '../media/thumbnails/prefetch.ts';
import { withReadAhead } from '../media/thumbnails/read-ahead.ts';
import { DEFAULT_SIDE, pictureShape } from '../media/thumbnails/sides.ts';
import { createThumbnails } from '../media/thumbnails/thumbnails.ts';
import { openCacheFolder } from '../storage/content/cache-folder.ts';
import type { CacheShare } from '../storage/content/cache-shares.ts';
import type { Layout } from '../storage/layout.ts';
import type { WorkerPools } from '../workers/pool/pools.ts';

interface Parts {
  readonly config: Pick<Config, 'ffmpeg'>;
  readonly layout: Layout;
  readonly database: Database;
  readonly files: FilesContext;
  readonly homes: Homes;
  readonly pool: WorkerPools['thumbnails'];
  readonly throttle: Throttle;
}

/** The part of the cache that an account may fill, and the part for the visitors of all links together. */
const ACCOUNT_PART = 0.5;
const LINKS_PART = 0.25;

function cacheShare({ kind, id }: Owner): CacheShare {
  if (kind === 'link') return { name: 'links', part: LINKS_PART };
  return kind === 'account' ? { name: `account ${id}`, part: ACCOUNT_PART } : { name: '', part: 1 };
}

/** Composes thumbnails. */
export function composeThumbnails({ config, layout, database, files, homes, pool, throttle }: Parts) {
  const { catalogue, disk, events, settings, clock, log } = files;
  const failures = createThumbnailFailures(database.activity, clock);
  const folder = layout.thumbnails;
  const cache = openCacheFolder(
    folder,
    () => settings.values.thumbnailMegabytes * MEGABYTE,
    cacheShare,
    async (files) => {
      const { written } = await disk.run('cache', { homeRoot: { root: dirname(folder), homeId: '' }, folder, files });
      return written;
    },
    () => pool.isBusy,
  );
  const thumbnails = createThumbnails({
    contents: files.catalogue.contents,
    disk,
    pool,
    folder,
    cache,
    failures,
    ffmpeg: config.ffmpeg,
  });
  const ahead = createMadeAhead({
    ...{ database, homes, thumbnails, throttle, events, log },
    shape: pictureShape(DEFAULT_SIDE, 'webp'),
  });
  const requested = withReadAhead(thumbnails, { disk, pool, catalogue });
  return {
    /** For pages, whose browsers ask for several at once and in different sizes: nothing is made ahead of them. */
    thumbnails,
    operations: thumbnailOperations({ ...files, thumbnails: requested.thumbnails }),
    removeOld: () => failures.removeOld(),
    cache,
    /** Failed thumbnails are tried again. */
    forgetFailures: () => failures.clear(),
    async close() {
      ahead.stop();
      requested.stop();
      await cache.close();
    },
  };
}
