import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Umzug } from 'umzug';
import { t } from '../messages/messages.ts';
import type { Connection } from './connection.ts';
import { migrations } from './migrations/index.ts';
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
  const umzug = await import('umzug');
  await queue.write((tx) => runner(umzug, tx).up(), 'everything');
}

/** Whether any migration ever ran here. The first start runs them before it creates anything else. */
export async function hasMigrations(reader: Connection): Promise<boolean> {
  const tables = await reader.all("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'");
  return tables.length > 0 && (await reader.all('SELECT name FROM migrations LIMIT 1')).length > 0;
}

/** The library is loaded only for an upgrade: other starts are a tenth of a second shorter. */
function runner({ Umzug }: typeof import('umzug'), tx: Transaction): Umzug<Transaction> {
  return new Umzug<Transaction>({
    migrations: migrations.map((migration) => ({
      name: migration.name,
      up: async ({ context }) => {
        for (const statement of migration.statements) await context.run(statement);
        await migration.fill?.(context);
      },
    })),
    context: tx,
    logger: undefined,
    storage: {
      executed: async () => (await tx.all<{ name: string }>('SELECT name FROM migrations')).map(({ name }) => name),
      logMigration: async ({ name }) => {
        await tx.run('INSERT INTO migrations (name) VALUES (?)', [name]);
      },
      unlogMigration: async () => {
        throw new Error('migrations only go forward');
      },
    },
  });
}

async function copyBefore(reader: Connection, backups: string, last: string): Promise<void> {
  await mkdir(backups, { recursive: true, mode: 0o700 });
  const target = join(backups, `before-upgrade-from-${last}-${Date.now()}.sqlite`);
  await makePrivate(target);
  await reader.exec(`PRAGMA query_only=OFF; VACUUM INTO '${target.replaceAll("'", "''")}'; PRAGMA query_only=ON;`);
}
