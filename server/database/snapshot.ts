import { pathToFileURL } from 'node:url';
import sqlite3 from 'sqlite3';
import { t } from '../messages/messages.ts';
import { Connection, type SqlParams } from './connection.ts';
import { migrations } from './migrations/index.ts';

/** A database copy that nothing writes to, open for reading. Opening it creates no files beside it, so it works on a read-only disk. */
export interface Snapshot {
  all<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
  get<Row>(sql: string, params?: SqlParams): Promise<Row | undefined>;
  close(): Promise<void>;
}

/** @throws an error of SQLite when it is no database */
export async function openSnapshot(file: string): Promise<Snapshot> {
  const uri = `${pathToFileURL(file).href}?immutable=1`;
  const connection = await Connection.open(uri, sqlite3.OPEN_READONLY | sqlite3.OPEN_URI);
  return {
    all: (sql, params) => connection.all(sql, params),
    get: async <Row>(sql: string, params?: SqlParams) => (await connection.all<Row>(sql, params))[0],
    close: () => connection.close(),
  };
}

/**
 * The problem of a copy, to follow its name: null when it is intact, its rows have no dangling references, and this or an older
 * version of Larder made it.
 */
export async function snapshotProblem(snapshot: Snapshot, file: string): Promise<string | null> {
  try {
    const [check] = await snapshot.all<{ integrity_check: string }>('PRAGMA integrity_check(1)');
    if (check?.integrity_check !== 'ok')
      return t('api.backup.databaseDamaged', {
        file,
        reason: check?.integrity_check.replaceAll(/\s+/g, ' ') ?? t('api.storage.noReason'),
      });
    const [orphan] = await snapshot.all<{ table: string }>('PRAGMA foreign_key_check');
    if (orphan !== undefined) return t('api.backup.databaseRows', { file, table: orphan.table });
    const done = await snapshot.all<{ name: string }>('SELECT name FROM migrations ORDER BY name');
    if (done.length === 0) return t('api.backup.databaseForeign', { file });
    const unknown = done.find(({ name }) => !migrations.some((migration) => migration.name === name));
    return unknown === undefined ? null : t('api.backup.databaseNewer', { file, name: unknown.name });
  } catch (error) {
    return t('api.backup.databaseDamaged', { file, reason: (error as Error).message });
  }
}
