import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import type { Transaction } from '../../database/database.ts';
import { DAY } from '../../lib/clock.ts';
import { LARDER } from '../../lib/events.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { flushFolder } from '../../storage/flush.ts';
import type { FilesContext, RowsContext } from '../context.ts';
import { emitItemEvent, ownerOf } from '../emit.ts';
import type { BackgroundContext, EntriesContext, JournalContext } from '../journal/context.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { deleteVersionRows, recordedVersions, versionsBeyond, versionsOverLimits } from './version-rows.ts';

/** Versions whose rows are deleted and whose contents are still to be erased. */
export interface ForgottenVersions {
  readonly entry: JournalEntryOf<'forget'>;
  readonly journalId: number;
}

/** Deletes the rows of versions; `eraseVersions` erases their contents, at the latest after the next start. */
export async function forgetVersions(
  { journal }: EntriesContext,
  tx: Transaction,
  homeId: string,
  versionIds: readonly string[],
): Promise<ForgottenVersions | null> {
  if (versionIds.length === 0) return null;
  await deleteVersionRows(tx, versionIds);
  const entry: JournalEntryOf<'forget'> = { kind: 'forget', homeId, versionIds: [...versionIds] };
  return { entry, journalId: await journal.begin(tx, entry) };
}

/**
 * Deletes the versions of an item beyond the retained number. With versions off, earlier ones stay.
 * @param superseded versions that are deleted whatever the number
 */
export async function surplusVersions(
  context: Pick<FilesContext, 'journal' | 'settings'>,
  tx: Transaction,
  homeId: string,
  itemId: number,
  superseded: readonly string[] = [],
): Promise<ForgottenVersions | null> {
  const { versionsKept } = context.settings.values;
  if (versionsKept === 0) return forgetVersions(context, tx, homeId, superseded);
  const surplus = await versionsBeyond(tx, itemId, versionsKept, superseded);
  return forgetVersions(context, tx, homeId, [...superseded, ...surplus]);
}

/** Frees the space of deleted versions. Used after deleting them, and at a start after a crash in between. */
export async function eraseVersions(
  { database, journal, failPoints }: JournalContext,
  home: Home,
  { entry: { versionIds }, journalId }: ForgottenVersions,
): Promise<void> {
  failPoint(failPoints, 'files.forget.erase');
  await eraseForgotten({ database }, home, versionIds);
  failPoint(failPoints, 'files.forget.erased');
  await database.write((tx) => journal.end(tx, journalId));
}

/** The same in the background: the rows are gone, so the versions are no longer visible. */
export function eraseVersionsLater(context: BackgroundContext, home: Home, forgotten: ForgottenVersions | null): void {
  if (forgotten === null) return;
  eraseVersions(context, home, forgotten).catch((error) =>
    context.log.error({ err: error }, 'failed to erase old versions; the next start continues'),
  );
}

/** Erases the contents of those versions that no longer have a row. */
export async function eraseForgotten(
  { database }: RowsContext,
  home: Home,
  versionIds: readonly string[],
): Promise<void> {
  const kept = await recordedVersions(database, versionIds);
  const forgotten = versionIds.filter((id) => !kept.has(id));
  if (forgotten.length === 0) return;
  for (const id of forgotten) await eraseStored(join(home.area.versions, id));
  // Otherwise a power cut could bring back a content that has no row.
  await flushFolder(home.area.versions);
}

/** Versions deleted per transaction: lowering a limit may affect very many. */
const BATCH = 500;

/**
 * Deletes versions beyond the limits of number and age: they age without a change, and the number may have been lowered.
 * @returns how many
 */
export async function expireVersions(context: FilesContext, home: Home): Promise<number> {
  const { database, settings, clock } = context;
  let count = 0;
  for (;;) {
    const forgotten = await database.write(async (tx) => {
      const storedBefore = clock.now() - settings.values.versionDays * DAY;
      const ids = await versionsOverLimits(tx, home.id, settings.values, storedBefore, BATCH);
      return forgetVersions(context, tx, home.id, ids);
    });
    if (forgotten === null) break;
    count += forgotten.entry.versionIds.length;
    await eraseVersions(context, home, forgotten);
  }
  if (count > 0) {
    emitItemEvent(
      context,
      'versions.expired',
      LARDER,
      { home, share: null },
      { versions: count, username: await ownerOf(context, home) },
    );
  }
  return count;
}
