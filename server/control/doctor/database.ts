import { join } from 'node:path';
import { copiesBeforeUpgrades, howToRestore } from '../../backup/make/how-to-restore.ts';
import { t } from '../../messages/messages.ts';
import { fileSize } from '../../storage/inspect.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

/** Far more than is ever written between two checkpoints: something prevents checkpoints. */
const LARGE_LOG = 256 * 1024 * 1024;

/** Checks for damage inside the file, dangling rows, and existing copies. */
export async function checkDatabase({ database, layout }: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  const restore = await howToRestore(layout);
  const damage = await database.damage().catch((error: Error) => error.message);
  if (damage !== null)
    found.push(problem(t('api.doctor.databaseDamaged', { file: layout.database, reason: damage, advice: restore })));
  else found.push(...(await checkReferences(database, restore)));
  const log = await fileSize(`${layout.database}-wal`).catch(() => null);
  if (log !== null && log > LARGE_LOG) found.push(note(t('api.doctor.logLarge', { file: `${layout.database}-wal` })));
  const copies = await copiesBeforeUpgrades(layout);
  if (copies.length > 0)
    found.push(note(t('api.doctor.copies', { count: copies.length, path: join(layout.backups, copies.at(-1) ?? '') })));
  return found;
}

async function checkReferences(database: DoctorParts['database'], restore: string): Promise<Finding[]> {
  const orphans = await database.all<{ table: string }>('PRAGMA foreign_key_check');
  if (orphans.length === 0) return [];
  return [
    problem(t('api.doctor.rowsOrphaned', { count: orphans.length, table: orphans[0]?.table ?? '', advice: restore })),
  ];
}
