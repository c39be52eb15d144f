import { join } from 'node:path';
import type { Homes } from '../catalogue/homes.ts';
import type { Database } from '../database/database.ts';
import type { Journal, JournalEntry } from '../files/journal.ts';
import { humanSize } from '../listing/human.ts';
import { freeBytes, isExposed, storedNames } from '../storage/area.ts';
import type { Disk } from '../storage/disk.ts';
import { StorageError } from '../storage/errors.ts';
import type { Layout } from '../storage/layout.ts';
import type { Certificates } from '../tls/certificates.ts';
import type { Output } from './contract/contract.ts';

export interface DoctorParts {
  readonly layout: Layout;
  readonly database: Database;
  readonly homes: Homes;
  readonly disk: Disk;
  readonly journal: Journal;
  readonly certificates: Certificates;
}

type Report = Output<'doctor'>;
type Findings = { problem(text: string): void; note(text: string): void };

const LOW_SPACE = 1024 ** 3;

/** Looks at everything and changes nothing. A problem says what is wrong and what to do; a note is worth knowing. */
export async function examine(parts: DoctorParts): Promise<Report> {
  const problems: string[] = [];
  const notes: string[] = [];
  const findings: Findings = { problem: (text) => problems.push(text), note: (text) => notes.push(text) };
  await checkDatabase(parts, findings);
  await checkHomes(parts, findings);
  await checkStored(parts, findings, 'versions', 'versions');
  await checkStored(parts, findings, 'trash', 'trash');
  await checkJournal(parts, findings);
  await checkSpace(parts, findings);
  for (const problem of parts.certificates.problems()) findings.note(problem);
  return { ok: problems.length === 0, problems, notes };
}

async function checkDatabase({ database, layout }: DoctorParts, { problem }: Findings): Promise<void> {
  const [check] = await database.all<{ quick_check: string }>('PRAGMA quick_check(1)');
  if (check?.quick_check !== 'ok') {
    problem(
      `The database is damaged (${check?.quick_check}). Stop Larder and restore the newest copy from ${layout.backups}.`,
    );
  }
  const orphans = await database.all<{ table: string }>('PRAGMA foreign_key_check');
  if (orphans.length > 0)
    problem(`${orphans.length} rows point to rows that are gone, the first in "${orphans[0]?.table}".`);
}

async function checkHomes({ homes, disk }: DoctorParts, { problem }: Findings): Promise<void> {
  for (const home of await homes.all()) {
    try {
      await disk.run('stat', { place: home.place, segments: [] });
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      problem(
        `The home ${home.place.root} is not there, or has lost its marker file. Connect its disk, or put it back in its place.`,
      );
    }
  }
}

/** Every row has its content, and every content its row. */
async function checkStored(
  { database, homes, journal }: DoctorParts,
  { problem, note }: Findings,
  table: 'versions' | 'trash',
  area: 'versions' | 'trash',
): Promise<void> {
  const known = new Set((await database.all<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => id));
  const underWay = new Set((await journal.pending()).flatMap(({ entry }) => namesUnderWay(entry)));
  const found = new Set<string>();
  for (const folder of new Set((await homes.all()).map((home) => home.area[area]))) {
    for (const name of await storedNames(folder)) {
      found.add(name);
      if (!known.has(name) && !underWay.has(name))
        note(`${join(folder, name)} belongs to nothing. Look at it, then delete it.`);
    }
  }
  const lost = [...known].filter((id) => !found.has(id));
  if (lost.length > 0)
    problem(
      `The content of ${lost.length} ${table === 'trash' ? 'items in the trash' : 'old versions'} is gone from the disk.`,
    );
}

/** What a change that was interrupted still speaks of: no leftovers. */
function namesUnderWay(entry: JournalEntry): readonly string[] {
  if ('kept' in entry) return [entry.kept.id];
  if (entry.kind === 'forget') return entry.versionIds;
  return entry.kind === 'erase' ? [entry.trashId, ...entry.versionIds] : [entry.trashId];
}

async function checkJournal({ journal }: DoctorParts, { note }: Findings): Promise<void> {
  const pending = await journal.pending();
  if (pending.length > 0) note(`${pending.length} changes were interrupted; the next start finishes or undoes them.`);
}

async function checkSpace({ layout }: DoctorParts, { problem, note }: Findings): Promise<void> {
  const free = await freeBytes(layout.folder);
  if (free < LOW_SPACE)
    problem(`Only ${humanSize(free)} are free in ${layout.folder}. Make room, or uploads will be refused.`);
  else note(`${humanSize(free)} are free.`);
  if (await isExposed(layout.control)) {
    problem(`${layout.control} can be read by others. Run: chmod 600 "${layout.control}"`);
  }
}
