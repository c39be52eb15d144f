import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { WriteQueue } from '../../dist/server/database/write-queue.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { t } from '../support/server-texts.ts';

// What a change of an account was checked against may itself have changed before its transaction begins.

let household: Household;
let people = 0;
const write = WriteQueue.prototype.write;

beforeAll(async () => {
  household = await openHousehold();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => household.close());

const PASSWORD = 'correct horse battery';
const control = (method: string, input: unknown) => household.control(method, input);
const homes = async () => (await readdir(join(household.folder, 'homes'))).sort();

async function newAccount(more: Record<string, unknown> = {}): Promise<{ id: number; username: string }> {
  people += 1;
  const username = `person${people}`;
  const { id } = await control('accounts.add', { username, name: username, password: PASSWORD, ...more });
  return { id: Number(id), username };
}
const administrator = () => newAccount({ permissions: { admin_type: 'indep' } });
const role = async () => Number((await control('roles.add', { name: 'A role' })).id);

/** Does something else after the checks of a change, immediately before its transaction. */
function meanwhile(work: () => Promise<unknown>): void {
  let isDone = false;
  vi.spyOn(WriteQueue.prototype, 'write').mockImplementation(async function (this: WriteQueue, ...parts) {
    const isFirst = !isDone && parts[1] === 'everything';
    isDone ||= isFirst;
    if (isFirst) await work();
    return Reflect.apply(write, this, parts) as unknown;
  } as typeof write);
}

const NOT_INDEPENDENT = { field: 'ownerId', message: t('api.accounts.notIndependent') };
const NO_ROLE = { field: 'roleId', message: t('api.roles.notFound') };
const GONE = { message: t('api.accounts.notFound') };

it.each(['changed', 'added'])(
  'an account that is %s is not given to an administrator who was deleted',
  async (kind) => {
    const [admin, one] = [await administrator(), await newAccount()];
    const before = await homes();
    meanwhile(() => control('accounts.remove', { ids: [admin.id] }));
    const asked =
      kind === 'changed'
        ? control('accounts.update', { id: one.id, ownerId: admin.id })
        : newAccount({ ownerId: admin.id, createHomeFolder: true });
    await expect(asked).rejects.toMatchObject(NOT_INDEPENDENT);
    expect(await homes()).toEqual(before);
  },
);

it('an account is not given to someone who is no longer an independent administrator', async () => {
  const [admin, one] = [await administrator(), await newAccount()];
  meanwhile(() => control('accounts.update', { id: admin.id, permissions: { admin_type: 'simple' } }));
  await expect(control('accounts.update', { id: one.id, ownerId: admin.id })).rejects.toMatchObject(NOT_INDEPENDENT);
});

it('an account does not get a role that was removed', async () => {
  const [one, id] = [await newAccount(), await role()];
  meanwhile(() => control('roles.remove', { id }));
  await expect(control('accounts.update', { id: one.id, roleId: id })).rejects.toMatchObject(NO_ROLE);
});

it('an account that got a home meanwhile keeps it', async () => {
  const one = await newAccount();
  const path = join(household.folder, 'homes', `chosen for ${one.username}`);
  meanwhile(() => control('accounts.update', { id: one.id, homeFolder: path }));
  await control('accounts.update', { id: one.id, createHomeFolder: true });
  expect(await control('accounts.get', { id: one.id })).toMatchObject({ homeFolder: path });
  const { homes: listed } = (await control('homes.list', {})) as { homes: { path: string; username: string | null }[] };
  expect(listed.filter(({ path: at }) => at.includes(one.username))).toHaveLength(1);
  expect((await homes()).filter((name) => name.includes(one.username))).toEqual([`chosen for ${one.username}`]);
});

it('an account that was deleted is not reported as activated', async () => {
  const one = await newAccount();
  await control('accounts.update', { id: one.id, activated: false });
  meanwhile(() => control('accounts.remove', { ids: [one.id] }));
  await expect(control('accounts.activate', { username: one.username })).rejects.toMatchObject(GONE);
});

it('an account that was deleted is not reported as changed by an import', async () => {
  const one = await newAccount();
  meanwhile(() => control('accounts.remove', { ids: [one.id] }));
  const csv = `username,name\n${one.username},Another name\n`;
  const { lines } = await control('accounts.import', { csv, update: true });
  expect(lines).toMatchObject([{ outcome: 'refused', message: GONE.message }]);
});
