import type { FolderWatch, WatchParts } from '../../storage/watch/watch.ts';
import { watchFolders } from '../../storage/watch/watch-folders.ts';
import type { Home } from '../homes.ts';
import { compareAll, type Folder, foldersIn, type Scan, type ScanParts, type Step, watchNew } from './scan.ts';

/**
 * `offline`: its disk is unavailable; `reading`: finding what changed while the server was not running; `checking`: every file is
 * compared; `ready`: changes are noticed as they happen.
 */
export type ReconcileState = 'offline' | 'reading' | 'checking' | 'ready';

/** The progress of the catalogue of a home. */
export interface HomeProgress {
  readonly homeId: string;
  readonly state: ReconcileState;
  /**
   * Compared by the present scan of the whole home, or by the last one. That is progress, and no count of what is there: later
   * changes are not included.
   */
  readonly folders: number;
  readonly items: number;
  /** Folders that the last scan could not watch: changes in them are noticed only every few minutes. */
  readonly unwatched: number;
}

/** A planned scan of a home, or of a part of it. */
export interface Plan {
  /** Null for the whole home. */
  readonly from: readonly Folder[] | null;
  readonly thorough: boolean;
}

/** `part`: new folders; `quick` and `thorough`: the whole home. */
export type PlanKind = 'part' | 'quick' | 'thorough';

export function kindOf({ from, thorough }: Plan): PlanKind {
  if (from !== null) return 'part';
  return thorough ? 'thorough' : 'quick';
}

interface Changed {
  readonly segments: readonly string[];
  /** When it is compared, by the clock of `performance`. */
  readonly due: number;
}

/** What the homes share. */
interface WatchedHomeParts extends WatchParts {
  /** Those of the homes that are online. */
  readonly watches: HomeWatches;
}

/** The watches of the homes that are online, by the ids of the homes. */
export type HomeWatches = Map<string, FolderWatch>;

/** Milliseconds from the first event to the comparison, because changes usually come in groups. */
const GATHER = 300;
/** How long a folder is not compared again: a multiple of the time that took, and at least so many milliseconds. */
const REST = 20;
const SHORTEST_REST = 700;
/** Folders compared together. */
const BATCH_SIZE = 64;
/** Most folders remembered as changed; with more, the whole home is scanned. */
const MAX_CHANGED = 5_000;

/** The reconciler's state of one home: its watch, known changes, and planned work. */
export class ReconciledHome {
  readonly home: Home;
  readonly #parts: WatchedHomeParts;
  readonly #wake: () => void;
  readonly #changed = new Map<string, Changed>();
  readonly #resting = new Map<string, number>();
  readonly #plans: Plan[] = [];
  readonly #last = { quick: Number.NEGATIVE_INFINITY, thorough: Number.NEGATIVE_INFINITY };
  #watch: FolderWatch | null = null;
  #root: string | null = null;
  #isSilent = false;
  readonly #underWay = new Set<Plan>();
  readonly #dropped = new WeakSet<Plan>();
  #counts = { folders: 0, items: 0, unwatched: 0 };
  #reported: { state: ReconcileState | null; at: number } = { state: null, at: 0 };
  #overflows: number;

  /** @param wake called when there is work soon */
  constructor(home: Home, parts: WatchedHomeParts, wake: () => void) {
    this.home = home;
    this.#parts = parts;
    this.#overflows = parts.overflow.overflows;
    this.#wake = wake;
  }

  get isOnline(): boolean {
    return this.#watch !== null;
  }

  get watch(): FolderWatch {
    if (this.#watch === null) throw new Error('the home is offline');
    return this.#watch;
  }

  /** Whether it is online, and has been since this watch began. */
  isWatchedBy(watch: FolderWatch): boolean {
    return this.#watch === watch;
  }

  /** Whether no changes are known that are not in the catalogue yet. */
  get isQuiet(): boolean {
    return this.#changed.size === 0;
  }

  /** Folders in which changes may go unnoticed. */
  get unwatched(): number {
    return this.#isSilent ? Math.max(1, this.#counts.folders) : this.#counts.unwatched;
  }

  progress(): HomeProgress {
    const { folders, items } = this.#counts;
    return { homeId: this.home.id, state: this.#state(), folders, items, unwatched: this.unwatched };
  }

  /** Whether its state has changed since the last time this returned true, or so many milliseconds have passed. */
  isWorthReporting(every: number): boolean {
    const { state } = this.progress();
    const now = performance.now();
    if (state === this.#reported.state && now - this.#reported.at < every) return false;
    this.#reported = { state, at: now };
    return true;
  }

  /** The identity of its root folder; null while it is offline. */
  get root(): string | null {
    return this.isOnline ? this.#root : null;
  }

  /**
   * It is online, possibly again: everything is scanned.
   * @param root identity of its root
   * @param isSilent whether its disk changes without notifications
   */
  open(root: string, isSilent: boolean): void {
    this.#root = root;
    this.#isSilent = isSilent;
    this.#watch = watchFolders(this.home.homeRoot, this.#parts, {
      changed: (segments) => this.#noteChange(segments),
      ended: () => this.goOffline(),
    });
    this.#parts.watches.set(this.home.id, this.#watch);
    this.plan(null, false);
    this.plan(null, true);
  }

  /** Its disk is unavailable: nothing is known, and nothing is written. */
  goOffline(): void {
    this.close();
    this.#changed.clear();
    this.#plans.length = 0;
    this.#last.quick = Number.NEGATIVE_INFINITY;
    this.#last.thorough = Number.NEGATIVE_INFINITY;
  }

  close(): void {
    this.#parts.watches.delete(this.home.id);
    this.#watch?.close();
    this.#watch = null;
  }

  /** Milliseconds since the last scan of the whole home. */
  age(kind: 'quick' | 'thorough'): number {
    const isPlanned = [...this.#underWay, ...this.#plans].some((plan) => kindOf(plan) === kind);
    return isPlanned ? 0 : performance.now() - this.#last[kind];
  }

  plan(from: Plan['from'], thorough: boolean): void {
    const isPlanned = this.#plans.some((plan) => plan.thorough === thorough && plan.from === null);
    if (isPlanned) return;
    this.#plans.push({ from, thorough });
    this.#wake();
  }

  /** Events may have been lost, in any home: the whole of it is scanned. */
  planAfterOverflow(): void {
    const { overflows } = this.#parts.overflow;
    if (overflows === this.#overflows) return;
    this.#overflows = overflows;
    this.plan(null, false);
  }

  hasPlan(kind: PlanKind): boolean {
    return this.isOnline && this.#plans.some((plan) => kindOf(plan) === kind);
  }

  /** Starts the planned scan. */
  takePlan(kind: PlanKind): Plan | undefined {
    const index = this.#plans.findIndex((plan) => kindOf(plan) === kind);
    const [plan] = index < 0 ? [] : this.#plans.splice(index, 1);
    if (plan === undefined) return undefined;
    if (plan.from === null) this.#counts = { folders: 0, items: 0, unwatched: 0 };
    this.#underWay.add(plan);
    return plan;
  }

  done(plan: Plan): void {
    this.#underWay.delete(plan);
    if (plan.from !== null || !this.isOnline) return;
    this.#last.quick = performance.now();
    if (plan.thorough) this.#last.thorough = performance.now();
  }

  /** Postpones the thorough scan to the usual time. @returns whether one was planned */
  dropThorough(): boolean {
    const dropped = [...this.#underWay, ...this.#plans].filter((plan) => plan.thorough);
    for (const plan of dropped) this.#dropped.add(plan);
    this.#plans.splice(0, this.#plans.length, ...this.#plans.filter((plan) => !plan.thorough));
    if (dropped.length > 0) this.#last.thorough = performance.now();
    return dropped.length > 0;
  }

  isDropped(plan: Plan): boolean {
    return this.#dropped.has(plan);
  }

  /** A part could not be compared: soon everything is scanned, unless the plan was dropped. */
  failed(plan: Plan | null): void {
    if (plan !== null) this.#underWay.delete(plan);
    if (plan === null || !this.#dropped.has(plan)) this.#last.thorough = Number.NEGATIVE_INFINITY;
  }

  /** Adds a step of a scan. A part is not added to the progress of the whole home, which has or will have compared it as well. */
  count({ from }: Plan, { folders, items, unwatched }: Step): void {
    this.#counts.unwatched += unwatched;
    if (from !== null) return;
    this.#counts.folders += folders;
    this.#counts.items += items;
  }

  /** Changed folders that are due. */
  takeChanged(): Changed[] {
    const now = performance.now();
    const due: Changed[] = [];
    for (const [key, changed] of this.#changed) {
      if (changed.due > now) continue;
      due.push(changed);
      this.#changed.delete(key);
      if (due.length === BATCH_SIZE) break;
    }
    for (const [key, until] of this.#resting) if (until <= now) this.#resting.delete(key);
    return due;
  }

  /** Compares changed folders, and plans a scan of new folders in them. @throws StorageError */
  async compareChanged(
    parts: Pick<ScanParts, 'catalogue'>,
    changed: readonly Changed[],
    unreadable: Scan['unreadable'],
  ): Promise<void> {
    const contents = await compareAll(parts, this.home, changed, { unreadable });
    for (const [index, { segments }] of changed.entries()) {
      const content = contents[index];
      if (content === undefined) this.#noteChange(segments);
      if (content == null || this.#watch === null) continue;
      const { unseen, unwatched } = watchNew(this.#watch, segments, foldersIn(content));
      this.#counts.unwatched = Math.max(this.#counts.unwatched, unwatched);
      if (unseen.length > 0) this.plan(unseen, false);
    }
  }

  rest(changed: readonly Changed[], took: number): void {
    const until = performance.now() + Math.max(SHORTEST_REST, (REST * took) / changed.length);
    for (const { segments } of changed) this.#resting.set(segments.join('/'), until);
  }

  #state(): ReconcileState {
    if (!this.isOnline) return 'offline';
    const kinds = [...this.#underWay, ...this.#plans].map(kindOf);
    if (kinds.includes('quick')) return 'reading';
    return kinds.includes('thorough') ? 'checking' : 'ready';
  }

  #noteChange(segments: readonly string[]): void {
    const now = performance.now();
    this.planAfterOverflow();
    if (this.#changed.size > MAX_CHANGED) {
      this.plan(null, false);
      this.#changed.clear();
    }
    const key = segments.join('/');
    if (this.#changed.has(key)) return;
    if (this.#changed.size === 0) this.#wake();
    this.#changed.set(key, { segments, due: Math.max(now + GATHER, this.#resting.get(key) ?? 0) });
  }
}
