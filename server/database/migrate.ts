import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../messages/messages.ts';
import type { Connection } from './connection.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { makePrivate } from './private-file.ts';
import type { Transaction, WriteQueue } from './write-queue.ts';

/**
 * Runs the numbered migrations that this database has not seen, all in one transaction: afterwards the schema is
 * the new one or the old one, never something between. Before an upgrade the database is copied into `backups`.
 * @throws when the database was made by a newer version
 */
export async function migrate(
  queue: WriteQueue,
  reader: Connection,
  { file, backups }: { file: string; backups: string },
): Promise<void> {
  await queue.write(
    (tx) => tx.run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT'),
    'everything',
  );
  const done = await reader.all<{ name: string }>('SELECT name FROM migrations ORDER BY name');
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = done.find((migration) => !known.has(migration.name));
  if (unknown !== undefined) {
    throw new Error(t('api.storage.newerVersion', { file, name: unknown.name }));
  }
  if (done.length === migrations.length) return;
  if (done.length > 0) await copyBefore(reader, backups, done.at(-1)?.name ?? '');
  const seen = new Set(done.map(({ name }) => name));
  await queue.write(async (tx) => {
    for (const migration of migrations) if (!seen.has(migration.name)) await run(tx, migration);
  }, 'everything');
}

/** Whether any migration ever ran here. The first start runs them before it creates anything else. */
export async function hasMigrations(reader: Connection): Promise<boolean> {
  const tables = await reader.all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'");
  return tables.length > 0 && (await reader.all('SELECT name FROM migrations LIMIT 1')).length > 0;
}

async function run(tx: Transaction, { name, statements, fill }: Migration): Promise<void> {
  for (const statement of statements) await tx.run(statement);
  await fill?.(tx);
  await tx.run('INSERT INTO migrations (name) VALUES (?)', [name]);
}

async function copyBefore(reader: Connection, backups: string, last: string): Promise<void> {
  await mkdir(backups, { recursive: true, mode: 0o700 });
  const target = join(backups, `before-upgrade-from-${last}-${Date.now()}.sqlite`);
  await makePrivate(target);
  await reader.exec(`PRAGMA query_only=OFF; VACUUM INTO '${target.replaceAll("'", "''")}'; PRAGMA query_only=ON;`);
}
