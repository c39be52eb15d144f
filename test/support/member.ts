import { join } from 'node:path';
import { createHomes } from '../../dist/server/catalogue/homes.js';
import { type Database, openDatabase } from '../../dist/server/database/database.js';
import { createHome } from '../../dist/server/storage/homes.js';
import { layoutOf } from '../../dist/server/storage/layout.js';
import { ApiClient } from './api-client.ts';
import { ALL_SCOPES, type Household } from './household.ts';

export const MEMBER = { username: 'mia', password: 'correct horse battery' };

/** Permissions by their names in the API document; what is left out is as by default. */
export type Granted = Readonly<Record<string, boolean | number | string>>;

/** A second person, with the owner's password and without files. */
export async function addMember(household: Household): Promise<void> {
  await withDatabase(household, (database) => insert(database, MEMBER.username, null, {}));
}

/** The same with a home for each. */
export async function addMembersWithHomes(household: Household, members: Record<string, Granted>): Promise<void> {
  await withDatabase(household, async (database) => {
    const homes = createHomes(database, layoutOf(household.folder), household.clock);
    for (const [username, granted] of Object.entries(members)) {
      const root = homeOf(household, username);
      const id = await createHome(root);
      await database.write((tx) => homes.add(tx, id, root));
      await insert(database, username, id, granted);
    }
  });
}

export function homeOf(household: Household, username: string): string {
  return join(household.folder, 'homes', username);
}

export async function setPermissions(household: Household, granted: Record<string, Granted>): Promise<void> {
  await withDatabase(household, async (database) => {
    for (const [username, permissions] of Object.entries(granted))
      await database.write((tx) =>
        tx.run('UPDATE accounts SET permissions = ? WHERE username = ?', [JSON.stringify(permissions), username]),
      );
  });
}

/** A client with a token of the member, for the port that the server has now. */
export async function signInAs(household: Household, username: string): Promise<ApiClient> {
  const { clientId, clientSecret, api, port, ca } = household;
  const scope = ALL_SCOPES.replace(' admin', '');
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const form = { grant_type: 'password', username, password: MEMBER.password, scope, ...credentials };
  const reply = await api.token(form);
  if (reply.status !== 200) throw new Error(`no token: ${reply.text}`);
  return new ApiClient({ port, ca, token: reply.body.access_token });
}

function withDatabase(household: Household, work: (database: Database) => Promise<unknown>): Promise<void> {
  return household.whileStopped(async () => {
    const database = await openDatabase(
      join(household.folder, '.larder', 'larder.sqlite'),
      join(household.folder, '.larder', 'backups'),
    );
    try {
      await work(database);
    } finally {
      await database.close();
    }
  });
}

function insert(database: Database, username: string, homeId: string | null, granted: Granted): Promise<unknown> {
  return database.write((tx) =>
    tx.run(
      `INSERT INTO accounts (type, username, username_fold, name, password_hash, registered_at, home_id, permissions)
       SELECT 'user', ?1, ?1, 'Mia', password_hash, registered_at, ?2, ?3 FROM accounts WHERE id = 1`,
      [username, homeId, JSON.stringify(granted)],
    ),
  );
}
