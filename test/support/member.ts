import { join } from 'node:path';
import { Connection } from '../../dist/server/database/connection.js';
import type { Household } from './household.ts';

export const MEMBER = { username: 'mia', password: 'correct horse battery' };

/** A second person, with the owner's password and without files. */
export async function addMember(household: Household): Promise<void> {
  await household.whileStopped(async () => {
    const connection = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
    try {
      await connection.run(
        `INSERT INTO accounts (type, username, username_fold, name, password_hash, registered_at)
         SELECT 'user', ?1, ?1, 'Mia', password_hash, registered_at FROM accounts WHERE id = 1`,
        [MEMBER.username],
      );
    } finally {
      await connection.close();
    }
  });
}
