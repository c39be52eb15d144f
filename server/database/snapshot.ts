import { pathToFileURL } from 'node:url';
import sqlite3 from 'sqlite3';
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
export async function snapshotProblem(snapshot: Snapshot): Promise<string | null> {
  try {
    const [check] = await snapshot.all<{ integrity_check: string }>('PRAGMA integrity_check(1)');
    if (check?.integrity_check !== 'ok')
      return `is damaged (${check?.integrity_check.replaceAll(/\s+/g, ' ') ?? 'SQLite says nothing'})`;
    const [orphan] = await snapshot.all<{ table: string }>('PRAGMA foreign_key_check');
    if (orphan !== undefined) return `has rows in "${orphan.table}" that point to what is gone`;
    const done = await snapshot.all<{ name: string }>('SELECT name FROM migrations ORDER BY name');
    if (done.length === 0) return 'is no database of Larder';
    const unknown = done.find(({ name }) => !migrations.some((migration) => migration.name === name));
    return unknown === undefined ? null : `was made by a newer version of Larder (it has "${unknown.name}")`;
  } catch (error) {
    return `is damaged (${(error as Error).message})`;
  }
}
