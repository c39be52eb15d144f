import { join } from 'node:path';
import { newestBackup } from '../../backup/newest.ts';
import { fileSize, namesIn } from '../../storage/inspect.ts';
import type { Layout } from '../../storage/layout.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';
import { many } from './wording.ts';

/** Far more than is ever written between two checkpoints: whatever keeps them from being made keeps all of it. */
const LARGE_LOG = 256 * 1024 * 1024;

/** Damage inside the file, rows that point nowhere, and the copies that there are. */
export async function checkDatabase({ database, layout }: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  const restore = await howToRestore(layout);
  const damage = await database.damage().catch((error: Error) => error.message);
  if (damage !== null) found.push(problem(`The database ${layout.database} is damaged (${damage}). ${restore}`));
  else found.push(...(await checkReferences(database, restore)));
  const log = await fileSize(`${layout.database}-wal`);
  if (log !== null && log > LARGE_LOG)
    found.push(note(`${layout.database}-wal has grown large. Stop Larder and start it again: that takes it in.`));
  const copies = await copiesIn(layout);
  if (copies.length > 0)
    found.push(
      note(
        `${many(copies.length, 'copy', 'copies')} of the database from before upgrades: the last is ${join(layout.backups, copies.at(-1) ?? '')}.`,
      ),
    );
  return found;
}

async function checkReferences(database: DoctorParts['database'], restore: string): Promise<Finding[]> {
  const orphans = await database.all<{ table: string }>('PRAGMA foreign_key_check');
  if (orphans.length === 0) return [];
  return [
    problem(
      `${many(orphans.length, 'row')} of the database, the first in "${orphans[0]?.table}", point to what is gone: another program has changed it. ${restore}`,
    ),
  ];
}

/** What to do about a database that cannot be used. */
export async function howToRestore(layout: Layout): Promise<string> {
  const backup = await newestBackup(layout);
  const copy = (await copiesIn(layout)).at(-1);
  const from =
    backup === null
      ? copy === undefined
        ? 'a backup of this folder'
        : `${join(layout.backups, copy)}, or a backup`
      : `the backup of ${backup.madeAt}, ${backup.folder}`;
  const elsewhere =
    backup === null
      ? ''
      : ` Or make a whole installation of it elsewhere: larder restore --from "${backup.folder}" --folder <new folder>`;
  return (
    `Stop Larder and put larder.sqlite back from ${from}; move the damaged one away together with larder.sqlite-wal ` +
    `and larder.sqlite-shm, and keep them. The files in the homes are not touched by this.${elsewhere}`
  );
}

async function copiesIn({ backups }: Layout): Promise<string[]> {
  const names = (await namesIn(backups).catch(() => null)) ?? [];
  return names.filter((name) => name.endsWith('.sqlite'));
}
