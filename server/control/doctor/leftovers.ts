import { join } from 'node:path';
import { pendingEntries } from '../../files/journal/journal.ts';
import { quarantinedText } from '../../files/journal/recovery-report.ts';
import { DAY, MINUTE } from '../../lib/clock.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { isThere, namesOlder } from '../../storage/inspect.ts';
import { readControlFile, removeControlFile } from '../control-file.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';
import { many } from './wording.ts';

/** Milliseconds that a change takes at most, unless it is stuck. */
const LONG_CHANGE = 10 * MINUTE;

/** Checks for leftovers of a crash. */
export async function checkLeftovers(parts: DoctorParts): Promise<Finding[]> {
  return [
    ...parts.openingProblems.map((text) => problem(text)),
    ...(await checkControlFile(parts)),
    ...(await checkJournal(parts)),
    ...(await checkIncoming(parts)),
    ...(await checkKeys(parts)),
  ];
}

async function checkControlFile({ layout, listening }: DoctorParts): Promise<Finding[]> {
  const { control } = layout;
  const running = listening();
  if (running === null) {
    if (!(await isThere(control))) return [];
    return [
      note(
        `${control} is left of a server that ended without a goodbye, by a power cut perhaps. The next start replaces it.`,
        async () => {
          await removeControlFile(control);
          return `${control} was left of a server that runs no more and was removed.`;
        },
      ),
    ];
  }
  if ((await readControlFile(control))?.port === running.controlPort) return [];
  return [
    problem(
      `${control} is not the one that the running server wrote, so that commands do not find it. Stop Larder and start it again.`,
    ),
  ];
}

/**
 * Reports unreadable entries, those that the last start could not finish, and those that take too long: the rest is in progress.
 */
async function checkJournal({ database, clock, openedAt, layout }: DoctorParts): Promise<Finding[]> {
  const { quarantined } = await pendingEntries(database);
  const found = quarantined.map((entry) => problem(quarantinedText(entry)));
  const isQuarantined = new Set(quarantined.map(({ id }) => id));
  const rows = (
    await database.all<{ id: number; kind: string; since: number }>(
      'SELECT id, kind, created_at AS since FROM journal WHERE created_at < ? ORDER BY created_at',
      [Math.max(openedAt, clock.now() - LONG_CHANGE)],
    )
  ).filter(({ id }) => !isQuarantined.has(id));
  const [first] = rows;
  if (first === undefined) return found;
  const kinds = [...new Set(rows.map(({ kind }) => kind))].join(', ');
  return [
    ...found,
    note(
      `${many(rows.length, 'change was', 'changes were')} interrupted (${kinds}; the first ${isoSeconds(first.since)}). Every start finishes or undoes them as soon as it can: connect all disks and start Larder again. If this stays, ${join(layout.logs, 'larder.log')} says what is in the way.`,
    ),
  ];
}

/** Nothing is removed here: an upload may be slow, and a start removes leftovers anyway. */
async function checkIncoming({ homes, clock, database }: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  const continued = new Set((await database.all<{ id: string }>('SELECT id FROM uploads')).map(({ id }) => id));
  for (const folder of new Set((await homes.all()).map((home) => home.area.incoming))) {
    const old = await namesOlder(folder, clock.now() - DAY);
    const { length: count } = old.filter((name) => !continued.has(name));
    if (count > 0)
      found.push(
        note(
          `${many(count, 'upload')} in ${folder} got nothing for more than a day and will not be finished. Stop Larder and start it again: that removes what is left of them.`,
        ),
      );
  }
  return found;
}

/** A certificate that was not stored completely because of a power cut; the next one replaces it. */
async function checkKeys({ layout, clock }: DoctorParts): Promise<Finding[]> {
  const left = (await namesOlder(layout.tls, clock.now() - MINUTE)).filter((name) => name.endsWith('.new'));
  return left.map((name) =>
    note(`${join(layout.tls, name)} is left of an interrupted start. It does no harm and can be deleted.`),
  );
}
