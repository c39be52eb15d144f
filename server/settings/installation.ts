import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../database/database.ts';

const KEY = 'installation';

/** The unique id of this installation, generated on first use. */
export async function installationId(database: Pick<Database, 'get' | 'write'>): Promise<string> {
  const read = () => database.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', [KEY]);
  if ((await read()) === undefined) {
    await database.write((tx) =>
      tx.run('INSERT OR IGNORE INTO settings (key, value) VALUES (?, ?)', [KEY, JSON.stringify(randomUUID())]),
    );
  }
  const row = await read();
  if (row === undefined) throw new Error('the installation has no id');
  return JSON.parse(row.value);
}

/** Gives a copy an id of its own. */
export async function forgetInstallationId(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM settings WHERE key = ?', [KEY]);
}
