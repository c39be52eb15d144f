import type { Homes } from '../../catalogue/homes.ts';
import { MINUTE } from '../../lib/clock.ts';
import { LockTimeout } from '../../lib/concurrency/path-locks.ts';
import type { Layout } from '../../storage/layout.ts';
import type { FilesContext } from '../context.ts';
import type { RecoveryContext } from './context.ts';
import type { JournalEntry } from './journal.ts';
import { finishEntry, recoverEntry } from './recover.ts';

/**
 * Kinds whose changes hold the locks of their paths from the first step to the last. Until they are finished, the catalogue and the
 * disk differ in what people see. All others only free space, in the background and without locks: the next start finishes them.
 */
const REPAIRED: ReadonlySet<JournalEntry['kind']> = new Set([
  'overwrite',
  'move',
  'move-between',
  'trash',
  'complete-save',
  'restore',
  'home-trash',
  'home-restore',
]);

/** Completes changes that failed between two steps while the server runs on: the database, or a disk, refused one of them. */
export interface JournalRepair {
  /** Completes what was interrupted before the previous call. What is still running, or whose disk is away, stays. */
  repair(): Promise<void>;
  /** Repairs once a minute. */
  start(): void;
  stop(): Promise<void>;
}

export function createJournalRepair(
  context: RecoveryContext & Pick<FilesContext, 'pathLocks'>,
  homes: Homes,
  layout: Layout,
): JournalRepair {
  const { journal, log } = context;
  /** Entries that the previous call saw: nearly all others belong to operations that are running. */
  let before: ReadonlySet<number> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function repairOne(id: number, entry: JournalEntry): Promise<void> {
    const homeIds = 'toHomeId' in entry ? [entry.homeId, entry.toHomeId] : [entry.homeId];
    try {
      // The id of a home begins the keys of all its paths, so no operation on it is running now.
      await context.pathLocks.run(homeIds, () => completeEntry(id, entry), 0);
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
    }
  }

  async function completeEntry(id: number, entry: JournalEntry): Promise<void> {
    const { entries } = await journal.pending();
    // Its operation was running, and has ended.
    if (!entries.some((one) => one.id === id)) return;
    await recoverEntry(context, entry, () => finishEntry(context, homes, layout, entry, id));
  }

  async function repair(): Promise<void> {
    const { entries } = await journal.pending();
    const visible = entries.filter(({ entry }) => REPAIRED.has(entry.kind));
    for (const { id, entry } of visible) if (before.has(id)) await repairOne(id, entry);
    before = new Set(visible.map(({ id }) => id));
  }

  return {
    repair,
    start() {
      timer = setInterval(() => {
        running = running.then(repair).catch((error) => log.error({ err: error }, 'failed to repair the journal'));
      }, MINUTE).unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
