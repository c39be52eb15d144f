import { dirname } from 'node:path';
import type { Homes } from '../catalogue/homes.ts';
import type { Throttle } from '../catalogue/reconcile/throttle.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { FilesContext } from '../files/context.ts';
import { MEGABYTE } from '../lib/bytes.ts';
import { createThumbnailFailures } from '../media/thumbnails/failures.ts';
import { thumbnailOperations } from '../media/thumbnails/operations.ts';
import { createMadeAhead } from '../media/thumbnails/prefetch.ts';
import { withReadAhead } from '../media/thumbnails/read-ahead.ts';
import { createThumbnails, DEFAULT_SIDE } from '../media/thumbnails/thumbnails.ts';
import { openCacheFolder } from '../storage/content/cache-folder.ts';
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

/** Composes thumbnails. */
export function composeThumbnails({ config, layout, database, files, homes, pool, throttle }: Parts) {
  const { catalogue, disk, events, settings, clock, log } = files;
  const failures = createThumbnailFailures(database.activity, clock);
  const folder = layout.thumbnails;
  const cache = openCacheFolder(
    folder,
    () => settings.values.thumbnailMegabytes * MEGABYTE,
    async (files) => {
      const { written } = await disk.run('cache', { homeRoot: { root: dirname(folder), homeId: '' }, folder, files });
      return written;
    },
    () => pool.isBusy,
  );
  const thumbnails = createThumbnails({ disk, pool, folder, cache, failures, ffmpeg: config.ffmpeg });
  const ahead = createMadeAhead({
    ...{ database, homes, thumbnails, throttle, events, log },
    shape: { width: DEFAULT_SIDE, height: DEFAULT_SIDE, fit: 'contain', format: 'webp' },
  });
  const requested = withReadAhead(thumbnails, { disk, pool, catalogue });
  return {
    thumbnails: requested.thumbnails,
    operations: thumbnailOperations({ ...files, thumbnails: requested.thumbnails }),
    tidy: () => failures.tidy(),
    cache,
    /** Failed thumbnails are tried again. */
    forgetFailures: () => failures.clear(),
    async close() {
      ahead.stop();
      requested.stop();
      await cache.flush();
    },
  };
}
