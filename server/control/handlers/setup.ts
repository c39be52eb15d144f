import { ZodError } from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
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

type Given = CheckedInput<'setup.check'>;
type Problems = Output<'setup.check'>['problems'];

export interface Setup {
  /** Creates the owner, account 1, with an empty home or an existing folder. All of it or nothing. @throws FieldProblem */
  setUp(input: CheckedInput<'setup'>): Promise<Output<'setup'>>;
  /** The problems of what is given, as `setUp` would find them, all at once. Changes nothing. */
  check(given: Given): Promise<Output<'setup.check'>>;
}

/** How the owner's home is created: an existing folder stays as it is. */
const ADOPT = { adopt: true, mustExist: true, by: 'owner' } as const;

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

  const accountOf = (owner: string, name: string) =>
    ({ type: 'superuser', username: owner, name, homeId: null, passwordHash: null }) as const;

  /** The checks of the fields that are given. Each throws its problem. */
  function* checksOf(given: Given): Generator<[field: keyof Problems, check: Promise<unknown>]> {
    const { owner, name, password, householdName, homeFolder } = given;
    if (householdName !== undefined) yield ['householdName', checkHousehold(householdName)];
    if (name !== undefined) yield ['name', accounts.prepare(accountOf('owner', name))];
    if (owner !== undefined) yield ['owner', checkOwner(owner, homeFolder === undefined)];
    if (password !== undefined) yield ['password', checkPassword(password, owner ?? '')];
    if (homeFolder !== undefined) yield ['homeFolder', homeFolders.examine(homeFolder, ADOPT)];
  }

  async function checkHousehold(householdName: string): Promise<void> {
    settings.check({ householdName });
  }

  async function checkOwner(owner: string, hasNewHome: boolean): Promise<void> {
    await accounts.prepare(accountOf(owner, owner));
    if (hasNewHome) await newLocation(owner);
  }

  async function checkPassword(password: string, owner: string): Promise<void> {
    const problem = passwordProblem(password, owner, settings.values.passwordMinLength);
    if (problem !== null) throw new FieldProblem('password', problem);
  }

  async function problemsOf(given: Given): Promise<Problems> {
    const found: Problems = {};
    for (const [field, check] of checksOf(given)) {
      const message = await check.then(() => null, messageOf);
      if (message !== null) found[field] = message;
    }
    return found;
  }

  const newLocation = (username: string) =>
    homeFolders.location({ account: { username, name: username, email: '', company: '' }, by: 'owner' });

  async function setUp(input: CheckedInput<'setup'>): Promise<Output<'setup'>> {
    const { owner, name, password, enableApi, householdName, homeFolder } = input;
    if ((await accounts.count()) > 0) throw new ControlError('not_allowed', t('api.control.alreadySetUp'));
    for (const [field, problem] of Object.entries(await problemsOf(input))) throw new FieldProblem(field, problem);
    const changes = {
      // A new household is backed up as a whole unless the owner chooses otherwise.
      backupFiles: true,
      ...(enableApi ? { apiEnabled: true } : {}),
      ...(householdName === undefined ? {} : { householdName }),
    };
    const prepared = await accounts.prepare(accountOf(owner, name ?? owner));
    const passwordHash = await hashPassword(password);
    const home = await createHome(owner, homeFolder);
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

  /** A refusal names the field of this method's input that it concerns. */
  async function createHome(owner: string, homeFolder: string | undefined): Promise<CreatedHome> {
    try {
      if (homeFolder !== undefined) return await homeFolders.create(homeFolder, ADOPT);
      return await homeFolders.create(await newLocation(owner), { adopt: false, by: 'owner' });
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      throw new FieldProblem(homeFolder === undefined ? 'owner' : 'homeFolder', error.message);
    }
  }

  return {
    setUp: (input) => queue.run('setup', () => setUp(input)),
    check: async (given) => ({ problems: await problemsOf(given) }),
  };
}

/** The sentence of a refusal. @throws every other error */
function messageOf(error: unknown): string {
  if (error instanceof FieldProblem) return error.message;
  if (error instanceof ZodError) return error.issues[0]?.message ?? error.message;
  throw error;
}
