import { AccountProblem, type Accounts } from '../../accounts/accounts.ts';
import { hashPassword, passwordProblem } from '../../accounts/passwords/passwords.ts';
import type { Database } from '../../database/database.ts';
import { KeyedQueue } from '../../lib/concurrency/keyed-queue.ts';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import { actorOf, CONTROL, type Events } from '../../lib/events.ts';
import { t } from '../../messages/messages.ts';
import type { CreatedHome, HomeFolders } from '../../people/homes/home-folders.ts';
import type { Settings } from '../../settings/settings.ts';
import type { CheckedInput, Output } from '../contract/contract.ts';
import { ControlError } from '../dispatcher.ts';

export type Setup = (input: CheckedInput<'setup'>) => Promise<Output<'setup'>>;

/** Creates the owner, account 1, with an empty home or an existing folder. All of it or nothing. @throws AccountProblem */
export function createSetup({
  accounts,
  homeFolders,
  settings,
  database,
  events,
}: {
  accounts: Accounts;
  homeFolders: HomeFolders;
  settings: Settings;
  database: Database;
  events: Events;
}): Setup {
  // One at a time, so that the second of two calls creates no home.
  const queue = new KeyedQueue();
  return (input) => queue.run('setup', () => setUp(input));

  async function setUp({ owner, name, password, enableApi, householdName, homeFolder }: CheckedInput<'setup'>) {
    if ((await accounts.count()) > 0) throw new ControlError('not_allowed', t('api.control.alreadySetUp'));
    const changes = {
      // A new household is backed up as a whole unless the owner chooses otherwise.
      backupFiles: true,
      ...(enableApi ? { apiEnabled: true } : {}),
      ...(householdName === undefined ? {} : { householdName }),
    };
    settings.check(changes);
    const prepared = await accounts
      .prepare({ type: 'superuser', username: owner, name: name ?? owner, homeId: null, passwordHash: null })
      .catch(namingOwner);
    const problem = passwordProblem(password, owner, settings.values.passwordMinLength);
    if (problem !== null) throw new AccountProblem('password', problem);
    const passwordHash = await hashPassword(password);
    const home = await (homeFolder === undefined ? newHome(owner).catch(namingOwner) : theirs(homeFolder));
    const { homeId, root } = home;
    const account = await database
      .write(async (tx) => {
        await home.record(tx);
        const added = await accounts.add({ ...prepared, homeId, passwordHash }, actorOf(CONTROL, null), tx);
        const actor = actorOf(CONTROL, added);
        await settings.update(changes, actor, tx);
        tx.afterCommit(() => events.emit('installation.set-up', { actor }));
        return added;
      })
      .catch(async (error) => {
        await home.undo();
        throw error;
      });
    return { id: account.id, username: account.username, home: root, apiEnabled: settings.values.apiEnabled };
  }

  /** A folder with existing files, which stay where they are. */
  async function theirs(path: string): Promise<CreatedHome> {
    const by = 'owner';
    try {
      return await homeFolders.create(path, { adopt: true, mustExist: true, by });
    } catch (error) {
      throw error instanceof FieldProblem ? new FieldProblem('homeFolder', error.message) : error;
    }
  }

  async function newHome(username: string): Promise<CreatedHome> {
    const by = 'owner';
    const account = { username, name: username, email: '', company: '' };
    return homeFolders.create(await homeFolders.location({ account, by }), { adopt: false, by });
  }
}

/** In this method's input, the user name of the account is called `owner`. */
function namingOwner(error: unknown): never {
  const isOfName = error instanceof FieldProblem && (error.field === 'username' || error.field === 'homefolder');
  throw isOfName ? new AccountProblem('owner', error.message) : error;
}
