import { openDatabase } from '../../../dist/server/database/database.js';
import { layoutOf } from '../../../dist/server/storage/layout.js';
import type { Household } from './household.ts';

/** Gives accounts the home of another account, which stays its owner. All of them have to sign in again. */
export function shareHome(household: Household, username: string, others: readonly string[]): Promise<void> {
  return household.whileStopped(async () => {
    const { database: file, backups } = layoutOf(household.folder);
    const database = await openDatabase(file, backups);
    await database.write(async (tx) => {
      for (const other of others) {
        await tx.run(
          'UPDATE accounts SET home_id = (SELECT home_id FROM accounts WHERE username = ?) WHERE username = ?',
          [username, other],
        );
      }
    });
    await database.close();
  });
}
