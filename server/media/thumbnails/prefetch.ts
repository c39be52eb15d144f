import type { Homes } from '../../catalogue/homes.ts';
import { locationsOf } from '../../catalogue/places.ts';
import type { Throttle } from '../../catalogue/reconcile/throttle.ts';
import type { Database } from '../../database/database.ts';
import type { Owner } from '../../lib/concurrency/turn-queue.ts';
import type { Events } from '../../lib/events.ts';
import type { Log } from '../../lib/log/log.ts';
import { StorageError } from '../../storage/errors.ts';
import { JobError } from '../../workers/job-error.ts';
import type { ThumbnailShape } from '../../workers/thumbnails/jobs.ts';
import type { Thumbnails } from './thumbnails.ts';

/** Most files in the queue. The oldest are dropped first: their thumbnails are made on request. */
const MAX_WAITING = 5_000;
/** How many times longer than the work the pauses are. */
const REST = 1;
/** They are made for anyone who asks first. */
const HOUSEHOLD: Owner = { kind: 'household', id: '' };

interface MadeAheadParts {
  readonly database: Pick<Database, 'all'>;
  readonly homes: Pick<Homes, 'byId'>;
  readonly thumbnails: Thumbnails;
  readonly shape: ThumbnailShape;
  readonly throttle: Pick<Throttle, 'rest'>;
  readonly events: Events;
  readonly log: Log;
}

/** Makes the thumbnails of new uploads, one after the other, when there is nothing else to do. */
interface MadeAhead {
  /** Starts nothing more. A running job ends with its worker. */
  stop(): void;
}

export function createMadeAhead(parts: MadeAheadParts): MadeAhead {
  const { database, homes, thumbnails, shape, throttle, events, log } = parts;
  const stopping = new AbortController();
  const waiting = new Set<number>();
  let isRunning = false;

  async function make(itemId: number): Promise<void> {
    const location = (await locationsOf(database, [itemId])).get(itemId);
    const home = location?.state === 'there' ? await homes.byId(location.homeId) : null;
    if (location === undefined || home === null) return;
    await thumbnails.of({ home, segments: location.segments }, shape, HOUSEHOLD);
  }

  async function run(): Promise<void> {
    for (const itemId of waiting) {
      waiting.delete(itemId);
      const began = performance.now();
      await make(itemId).catch((error) => {
        if (error instanceof JobError || error instanceof StorageError) return;
        log.warn({ err: error, item: itemId }, 'failed to make a thumbnail in advance');
      });
      await throttle.rest(performance.now() - began, REST, stopping.signal);
      if (stopping.signal.aborted) return;
    }
  }

  const take = ({ itemId, path }: { readonly itemId: number; readonly path: string }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (stopping.signal.aborted || !thumbnails.canMake({ name, isDir: false, size: 1 })) return;
    waiting.add(itemId);
    const [first] = waiting;
    if (waiting.size > MAX_WAITING && first !== undefined) waiting.delete(first);
    start();
  };

  function start(): void {
    if (isRunning || waiting.size === 0 || stopping.signal.aborted) return;
    isRunning = true;
    // Requests have priority, first of all the reply to the upload itself.
    void throttle
      .rest(1, REST, stopping.signal)
      .then(run)
      .finally(() => {
        isRunning = false;
        start();
      });
  }
  const unsubscribe = [events.on('file.created', take), events.on('file.overwritten', take)];

  return {
    stop() {
      for (const end of unsubscribe) end();
      stopping.abort();
      waiting.clear();
    },
  };
}
