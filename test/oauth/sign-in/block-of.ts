import { join } from 'node:path';
import { Connection } from '../../../dist/server/database/connection.js';
import type { Household } from '../../support/households/household.ts';

/** Until when wrong passwords block an account, in milliseconds since the epoch, read beside the server. */
export async function blockedUntil(household: Household, username: string): Promise<number> {
  const database = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
  try {
    const sql = 'SELECT blocked_until FROM accounts WHERE username = ?';
    const [row] = await database.all<{ blocked_until: number | null }>(sql, [username]);
    return row?.blocked_until ?? 0;
  } finally {
    await database.close();
  }
}
