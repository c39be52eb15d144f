import { join } from 'node:path';
import { AccountProblem, type Accounts } from '../accounts/accounts.ts';
import type { Homes } from '../catalogue/homes.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings/settings.ts';
import { createHome, discardNewHome } from '../storage/homes.ts';
import type { Layout } from '../storage/layout.ts';
import type { CheckedInput, Output } from './contract/contract.ts';

export type Setup = (input: CheckedInput<'setup'>) => Promise<Output<'setup'>>;

/** Makes the owner, account 1, with an empty home. All of it or nothing. @throws AccountProblem */
export function createSetup({
  accounts,
  homes,
  settings,
  database,
  layout,
}: {
  accounts: Accounts;
  homes: Homes;
  settings: Settings;
  database: Database;
  layout: Layout;
}): Setup {
  return async ({ owner, name, password, enableApi, householdName }) => {
    const prepared = await accounts.prepare({
      type: 'superuser',
      username: owner,
      name: name ?? owner,
      password,
      homeId: null,
    });
    const root = join(layout.homes, owner.normalize('NFC'));
    const homeId = await createHome(root).catch((error) => {
      throw new AccountProblem('owner', (error as Error).message);
    });
    const account = await database
      .write(async (tx) => {
        if ((await accounts.model.count({ transaction: tx.sequelize })) > 0) {
          throw new AccountProblem('owner', 'This installation has an owner already.');
        }
        await homes.add(tx, homeId, root);
        return accounts.add({ ...prepared, homeId }, tx);
      })
      .catch(async (error) => {
        await discardNewHome(root);
        throw error;
      });
    await settings.update({
      ...(enableApi ? { apiEnabled: true } : {}),
      ...(householdName === undefined ? {} : { householdName }),
    });
    return { id: account.id, username: account.username, home: root, apiEnabled: settings.values.apiEnabled };
  };
}
