import { join } from 'node:path';
import { pendingEntries } from '../../files/journal/journal.ts';
import { quarantinedText } from '../../files/journal/recovery-report.ts';
import { DAY, MINUTE } from '../../lib/clock.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { t } from '../../messages/messages.ts';
import { isThere, namesOlder } from '../../storage/inspect.ts';
import { readControlFile, removeControlFile } from '../control-file.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

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
      note(t('api.doctor.controlFileLeft', { file: control }), async () => {
        await removeControlFile(control);
        return t('api.doctor.controlFileRemoved', { file: control });
      }),
    ];
  }
  if ((await readControlFile(control))?.port === running.controlPort) return [];
  return [problem(t('api.doctor.controlFileOther', { file: control }))];
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
      t('api.doctor.changesInterrupted', {
        count: rows.length,
        kinds,
        time: isoSeconds(first.since),
        file: join(layout.logs, 'larder.log'),
      }),
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
    if (count > 0) found.push(note(t('api.doctor.uploadsStale', { count, folder })));
  }
  return found;
}

/** A certificate that was not stored completely because of a power cut; the next one replaces it. */
async function checkKeys({ layout, clock }: DoctorParts): Promise<Finding[]> {
  const left = (await namesOlder(layout.tls, clock.now() - MINUTE)).filter((name) => name.endsWith('.new'));
  return left.map((name) => note(t('api.doctor.startLeftover', { file: join(layout.tls, name) })));
}
