import type { Catalogue } from '../../catalogue/catalogue.ts';
import { SECOND } from '../../lib/clock.ts';
import type { Owner } from '../../lib/concurrency/turn-queue.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import { extensionOf } from '../../lib/names/file-types.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import type { WorkerPool } from '../../workers/pool/worker-pool.ts';
import type { ThumbnailJobs, ThumbnailShape } from '../../workers/thumbnails/jobs.ts';
import { thumbnailSourceOf } from '../../workers/thumbnails/kinds.ts';
import type { PicturedFile, Thumbnail, Thumbnails } from './thumbnails.ts';

/** Pictures after the last requested one. */
const AHEAD = 4;
/** Maximum distance to the next request: several are sent at once, and folders contain other files between pictures. */
const REACH = 16;
/** The names in a folder are read after so many requests. */
const SEVERAL = 2;
/** After so many steps forward, the client is assumed to go through the folder. */
const STEPS = 2;
/** Started at the same time: one more than there are workers, so that the next file is open when one of them is done. */
const CONCURRENCY = 3;
/** Folders that are tracked at the same time. */
const MAX_FOLDERS = 8;
/** Milliseconds after which names are read again. */
const NAMES_FOR = 60 * SECOND;
/** Milliseconds for which a prefetched result is returned without a check of the disk. */
const FRESH_FOR = SECOND;

interface ReadAheadParts {
  readonly disk: Disk;
  readonly pool: Pick<WorkerPool<ThumbnailJobs>, 'isKeepingUp'>;
  readonly catalogue: Pick<Catalogue, 'unchangedSince'>;
}

/** A folder whose pictures are requested in order. */
interface Run {
  readonly folder: PicturedFile;
  readonly shape: ThumbnailShape;
  /** Of the requests. */
  owner: Owner;
  readonly since: number;
  /** The names of its pictures, in display order; empty until more than one is requested. */
  names: readonly string[];
  places: ReadonlyMap<string, number>;
  requested: number;
  /** The position of the last requested one. */
  at: number;
  /** The position of the last one started, requested or prefetched. */
  begun: number;
  steps: number;
  /** Whether requested thumbnails have to be generated: existing ones are not prefetched. */
  isMaking: boolean;
  /** Prefetched results, by name. */
  readonly ahead: Map<string, Ahead>;
}

interface Ahead {
  readonly thumbnail: Promise<Thumbnail>;
  /** Whether the result is still valid: nothing of ours has changed since it was started. */
  isFresh(): boolean;
}

/**
 * Generates the next thumbnails of a folder while a client goes through it in order, so that workers need not wait for the
 * client's next request. Other requests wait for one thumbnail more at most.
 * @returns the function to call instead, and one that stops prefetching
 */
export function withReadAhead(
  thumbnails: Thumbnails,
  { disk, pool, catalogue }: ReadAheadParts,
): { readonly thumbnails: Thumbnails; stop(): void } {
  const runs = new LruCache<Run>(MAX_FOLDERS);
  let underWay = 0;
  let isStopped = false;

  function runOf({ home, segments }: PicturedFile, shape: ThumbnailShape, owner: Owner): Run {
    const folder = { home, segments: segments.slice(0, -1) };
    const { width, height, fit, format } = shape;
    // Includes the rules for matching names: a path in another spelling may be valid for one caller and not for another.
    const key = [home.id, home.homeRoot.exact ?? '', ...folder.segments, width, height, fit, format].join('/');
    const known = runs.get(key);
    const since = performance.now();
    if (known !== undefined && since - known.since < NAMES_FOR) return Object.assign(known, { owner });
    const nothing = { names: [], places: new Map(), requested: 0, at: 0, begun: 0, steps: 0, isMaking: false };
    const run: Run = { folder, shape, owner, since, ...nothing, ahead: new Map() };
    runs.set(key, run);
    return run;
  }

  async function readNames(run: Run): Promise<void> {
    const { home, segments } = run.folder;
    const { names } = await disk.run('list', { homeRoot: home.homeRoot, segments });
    run.names = names.filter(isPicture);
    run.places = new Map(run.names.map((name, position) => [name, position]));
  }

  function step(run: Run, position: number): void {
    const distance = position - run.at;
    if (Math.abs(distance) > REACH) run.steps = 0;
    else if (distance > 0) run.steps += 1;
    // Of several concurrent requests, an earlier one may arrive later.
    if (distance > 0 || distance < -REACH) run.at = position;
    if (run.steps === 0) run.begun = run.at;
    run.begun = Math.max(run.begun, run.at);
  }

  function goOn(run: Run): void {
    while (!isStopped && run.isMaking && run.steps >= STEPS && underWay < CONCURRENCY && pool.isKeepingUp) {
      const name = run.begun < run.at + AHEAD ? run.names[run.begun + 1] : undefined;
      if (name === undefined) return;
      run.begun += 1;
      begin(run, name);
    }
  }

  function begin(run: Run, name: string): void {
    const { home, segments } = run.folder;
    const [since, isUnchanged] = [performance.now(), catalogue.unchangedSince(home)];
    const thumbnail = thumbnails.of({ home, segments: [...segments, name] }, run.shape, run.owner);
    run.ahead.set(name, { thumbnail, isFresh: () => isUnchanged() && performance.now() - since < FRESH_FOR });
    const [oldest] = run.ahead.keys();
    if (run.ahead.size > 2 * AHEAD && oldest !== undefined) run.ahead.delete(oldest);
    underWay += 1;
    void thumbnail
      .then(
        ({ wasMade }) => {
          run.isMaking &&= wasMade;
        },
        // A request for it reports the error.
        () => undefined,
      )
      .finally(() => {
        underWay -= 1;
        goOn(run);
      });
  }

  /** @returns the prefetched result, once */
  function take(run: Run, name: string): Promise<Thumbnail> | null {
    run.requested += 1;
    if (run.requested === SEVERAL) void readNames(run).catch(() => undefined);
    const position = run.places.get(name);
    if (position !== undefined) step(run, position);
    const ahead = run.ahead.get(name);
    run.ahead.delete(name);
    return ahead?.isFresh() === true ? ahead.thumbnail : null;
  }

  return {
    thumbnails: {
      ...thumbnails,
      async of(file, shape, owner) {
        const name = file.segments.at(-1) ?? '';
        if (!isPicture(name)) return thumbnails.of(file, shape, owner);
        const run = runOf(file, shape, owner);
        const thumbnail = await (take(run, name) ?? thumbnails.of(file, shape, owner));
        run.isMaking ||= thumbnail.wasMade;
        goOn(run);
        return thumbnail;
      },
    },

    stop() {
      isStopped = true;
    },
  };
}

/** Other files take long, or have no picture: they are not prefetched. */
function isPicture(name: string): boolean {
  return thumbnailSourceOf(extensionOf(name)) === 'picture';
}
