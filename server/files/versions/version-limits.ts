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
  await tx.run('DELETE FROM versions WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(versionIds)]);
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
  const rows = await tx.all<{ id: string }>(
    `SELECT id FROM versions WHERE item_id = ?1 AND id NOT IN (SELECT value FROM json_each(?2))
     ORDER BY version DESC LIMIT -1 OFFSET ?3`,
    [itemId, JSON.stringify(superseded), versionsKept],
  );
  return forgetVersions(context, tx, homeId, [...superseded, ...rows.map(({ id }) => id)]);
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
  const rows = await database.all<{ id: string }>(
    'SELECT id FROM versions WHERE id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(versionIds)],
  );
  const kept = new Set(rows.map(({ id }) => id));
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
  const { versionDays, versionsKept } = settings.values;
  let count = 0;
  for (;;) {
    const forgotten = await database.write(async (tx) => {
      const rows = await tx.all<{ id: string }>(
        `SELECT id FROM (
           SELECT versions.id, stored_at, row_number() OVER (PARTITION BY item_id ORDER BY versions.version DESC) AS place
           FROM versions JOIN items ON items.id = item_id WHERE home_id = ?1
         ) WHERE (?2 > 0 AND stored_at < ?3) OR (?4 > 0 AND place > ?4) LIMIT ${BATCH}`,
        [home.id, versionDays, clock.now() - versionDays * DAY, versionsKept],
      );
      return forgetVersions(
        context,
        tx,
        home.id,
        rows.map(({ id }) => id),
      );
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
