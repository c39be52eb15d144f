import type { Catalogue } from '../../catalogue/catalogue.ts';
import { SECOND } from '../../lib/clock.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import { extensionOf } from '../../lib/names/file-types.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import type { WorkerPool } from '../../workers/pool/worker-pool.ts';
import type { ThumbnailJobs, ThumbnailShape } from '../../workers/thumbnails/jobs.ts';
import { thumbnailSourceOf } from '../../workers/thumbnails/kinds.ts';
import type { PicturedFile, Thumbnail, Thumbnails } from './thumbnails.ts';

/** Pictures after the last one that was asked for. */
const AHEAD = 4;
/** How far from the one before it the next one may be: several are asked for at once, and there is more than pictures in a folder. */
const REACH = 16;
/** The names in a folder are read for whoever asks for so many. */
const SEVERAL = 2;
/** After so many steps forward somebody looks through the folder. */
const STEPS = 2;
/** Begun at the same time: one more than there are workers, so that the next file is open when one of them is done. */
const AT_ONCE = 3;
/** Folders that are looked through at the same time. */
const MAX_FOLDERS = 8;
/** Milliseconds after which names are read again. */
const NAMES_FOR = 60 * SECOND;
/** Milliseconds for which what was begun ahead is given to whoever asks, without a look at the disk. */
const FRESH_FOR = SECOND;

export interface ReadAheadParts {
  readonly disk: Disk;
  readonly pool: Pick<WorkerPool<ThumbnailJobs>, 'isKeepingUp'>;
  readonly catalogue: Pick<Catalogue, 'unchangedSince'>;
}

/** A folder that is looked through. */
interface Run {
  readonly folder: PicturedFile;
  readonly shape: ThumbnailShape;
  readonly since: number;
  /** Of the pictures in it, by name, as they are shown first; none as long as nobody looks further than at one of them. */
  names: readonly string[];
  places: ReadonlyMap<string, number>;
  asked: number;
  /** The place of the last one that was asked for. */
  at: number;
  /** The place of the last one that was begun, by whomever. */
  begun: number;
  steps: number;
  /** Whether what is asked for has to be made: what is there already is not fetched before somebody wants it. */
  isMaking: boolean;
  /** What was begun ahead, by name. */
  readonly ahead: Map<string, Ahead>;
}

interface Ahead {
  readonly thumbnail: Promise<Thumbnail>;
  /** Whether whoever asks now may have it: nothing of ours has changed since it was begun, a moment ago. */
  isFresh(): boolean;
}

/**
 * Makes the next pictures of a folder while somebody looks through it one after the other, in workers that would
 * otherwise wait until the last picture has got to the client and its next question back. Whoever asks for something else
 * meanwhile waits for one picture more, at most.
 * @returns what is to be asked instead, and how to begin nothing more
 */
export function withReadAhead(
  thumbnails: Thumbnails,
  { disk, pool, catalogue }: ReadAheadParts,
): { readonly thumbnails: Thumbnails; stop(): void } {
  const runs = new LruCache<Run>(MAX_FOLDERS);
  let underWay = 0;
  let isStopped = false;

  function runOf({ home, segments }: PicturedFile, shape: ThumbnailShape): Run {
    const folder = { home, segments: segments.slice(0, -1) };
    const { width, height, fit, format } = shape;
    // With how names are found: what one may have by another spelling of the way is not there for whoever needs the very same.
    const key = [home.id, home.place.exact ?? '', ...folder.segments, width, height, fit, format].join('/');
    const known = runs.get(key);
    const since = performance.now();
    if (known !== undefined && since - known.since < NAMES_FOR) return known;
    const nothing = { names: [], places: new Map(), asked: 0, at: 0, begun: 0, steps: 0, isMaking: false };
    const run: Run = { folder, shape, since, ...nothing, ahead: new Map() };
    runs.set(key, run);
    return run;
  }

  async function readNames(run: Run): Promise<void> {
    const { home, segments } = run.folder;
    const { names } = await disk.run('list', { place: home.place, segments });
    run.names = names.filter(isPicture);
    run.places = new Map(run.names.map((name, place) => [name, place]));
  }

  function step(run: Run, place: number): void {
    const distance = place - run.at;
    if (Math.abs(distance) > REACH) run.steps = 0;
    else if (distance > 0) run.steps += 1;
    // Of several at once, an earlier one may come later.
    if (distance > 0 || distance < -REACH) run.at = place;
    if (run.steps === 0) run.begun = run.at;
    run.begun = Math.max(run.begun, run.at);
  }

  function goOn(run: Run): void {
    while (!isStopped && run.isMaking && run.steps >= STEPS && underWay < AT_ONCE && pool.isKeepingUp) {
      const name = run.begun < run.at + AHEAD ? run.names[run.begun + 1] : undefined;
      if (name === undefined) return;
      run.begun += 1;
      begin(run, name);
    }
  }

  function begin(run: Run, name: string): void {
    const { home, segments } = run.folder;
    const [since, isUnchanged] = [performance.now(), catalogue.unchangedSince(home)];
    const thumbnail = thumbnails.of({ home, segments: [...segments, name] }, run.shape);
    run.ahead.set(name, { thumbnail, isFresh: () => isUnchanged() && performance.now() - since < FRESH_FOR });
    const [oldest] = run.ahead.keys();
    if (run.ahead.size > 2 * AHEAD && oldest !== undefined) run.ahead.delete(oldest);
    underWay += 1;
    void thumbnail
      .then(
        ({ wasMade }) => {
          run.isMaking &&= wasMade;
        },
        // Whoever asks for it is told.
        () => undefined,
      )
      .finally(() => {
        underWay -= 1;
        goOn(run);
      });
  }

  /** @returns what was begun ahead, once */
  function take(run: Run, name: string): Promise<Thumbnail> | null {
    run.asked += 1;
    if (run.asked === SEVERAL) void readNames(run).catch(() => undefined);
    const place = run.places.get(name);
    if (place !== undefined) step(run, place);
    const ahead = run.ahead.get(name);
    run.ahead.delete(name);
    return ahead?.isFresh() === true ? ahead.thumbnail : null;
  }

  return {
    thumbnails: {
      ...thumbnails,
      async of(file, shape) {
        const name = file.segments.at(-1) ?? '';
        if (!isPicture(name)) return thumbnails.of(file, shape);
        const run = runOf(file, shape);
        const thumbnail = await (take(run, name) ?? thumbnails.of(file, shape));
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

/** Others take long, or have no picture: they are made when somebody asks. */
function isPicture(name: string): boolean {
  return thumbnailSourceOf(extensionOf(name)) === 'picture';
}
