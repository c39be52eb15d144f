import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../dist/server/control/contract/contract.js';
import { appOf } from '../oauth/support.ts';
import { sampled } from '../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { emptyInstallation, refusalOf } from './support.ts';

let household: Household;
let app: ReturnType<typeof appOf>;

beforeAll(async () => {
  household = await openHousehold();
  app = appOf(household);
});
afterAll(() => household.close());

const refused = (method: string, input?: unknown) => refusalOf(household.control(method, input));

describe('setup.check', () => {
  it('reports everything that set-up would refuse, and changes nothing', async () => {
    const installation = await emptyInstallation();
    try {
      const good = { owner: 'ann', name: 'Ann', password: 'three small pears', householdName: 'Orchard House' };
      const bad = {
        ...{ owner: 'a/b', name: ' ', password: 'short', householdName: 'x'.repeat(61), homeFolder: '/no/such/folder' },
      };
      const check = async (given: object) =>
        ((await installation.dispatch('setup.check', given)) as { problems: Record<string, string> }).problems;
      expect(await check(good)).toEqual({});
      expect(await check({})).toEqual({});
      expect(Object.keys(await check(bad)).sort()).toEqual(Object.keys(bad).sort());
      for (const [field, value] of Object.entries(bad)) {
        const given = { ...good, [field]: value };
        const problems = await check(given);
        expect(Object.keys(problems), field).toEqual([field]);
        const refusal = await refusalOf(installation.dispatch('setup', given));
        expect(refusal).toMatchObject({ field, message: problems[field] });
      }
      expect(await installation.dispatch('status', {})).toMatchObject({ hasOwner: false });
    } finally {
      await installation.close();
    }
  });
});

describe('setup', () => {
  it('is refused a second time, and everything else before it', async () => {
    expect(await refused('setup', { owner: 'bob', password: 'another long one' })).toMatchObject({
      code: 'not_allowed',
    });
    expect(await readdir(join(household.folder, 'homes'))).toEqual([OWNER.username]);
    const installation = await emptyInstallation();
    try {
      for (const [method, { may }] of Object.entries(contract)) {
        if ((may as readonly string[]).includes('first-run')) continue;
        const input = {
          'clients.add': { name: 'x' },
          'clients.remove': { clientId: 'x' },
          'accounts.activate': { username: 'x' },
        };
        expect(
          await refusalOf(installation.dispatch(method, (input as Record<string, unknown>)[method] ?? {})),
          method,
        ).toMatchObject({ code: 'not_allowed' });
      }
      expect(await installation.dispatch('status', {})).toMatchObject({ hasOwner: false, running: false });
    } finally {
      await installation.close();
    }
  });

  const UNFIT = [
    ['a short password', { owner: 'ann', password: 'short' }, 'password'],
    ['a common password', { owner: 'ann', password: 'Password123' }, 'password'],
    ['the user name as the password', { owner: 'ann.of.green', password: 'Ann.Of.Green' }, 'password'],
    ['an empty user name', { owner: '', password: OWNER.password }, 'owner'],
    ['a user name with markup', { owner: '<b>ann</b>', password: OWNER.password }, 'owner'],
    ['a user name that climbs', { owner: '../ann', password: OWNER.password }, 'owner'],
    ['a device', { owner: 'NUL', password: OWNER.password }, 'owner'],
    ['an empty first name', { owner: 'ann', name: ' ', password: OWNER.password }, 'name'],
    ['a household without a name', { owner: 'ann', password: OWNER.password, householdName: ' ' }, 'householdName'],
    ['no password', { owner: 'ann' }, 'password'],
    ['something else', { owner: 'ann', password: OWNER.password, admin: true }, ''],
  ] as const;

  it.each(sampled(UNFIT, 5))('refuses %s and creates nothing', async (_name, input, field) => {
    const installation = await emptyInstallation();
    try {
      expect(await refusalOf(installation.dispatch('setup', input))).toMatchObject({ code: 'invalid_input', field });
      expect(await readdir(join(installation.folder, 'homes'))).toEqual([]);
      expect(await installation.dispatch('status', {})).toMatchObject({ hasOwner: false, apiEnabled: false });
      await installation.dispatch('setup', { owner: 'ann', password: OWNER.password, enableApi: true });
      expect(await installation.dispatch('status', {})).toMatchObject({ hasOwner: true, apiEnabled: true });
    } finally {
      await installation.close();
    }
  });

  it('accepts a folder with files unchanged, and creates nothing if it cannot be used', async () => {
    const installation = await emptyInstallation();
    try {
      const folder = join(installation.folder, 'homes', 'photos');
      await mkdir(folder);
      await writeFile(join(folder, 'lake.jpg'), 'a picture');
      const owner = { owner: 'ann', password: OWNER.password };
      for (const homeFolder of [
        join(installation.folder, 'homes', 'potos'),
        join(folder, 'nowhere'),
        join(folder, 'lake.jpg'),
        'photos',
        '/',
        installation.folder,
        '',
      ]) {
        expect(await refusalOf(installation.dispatch('setup', { ...owner, homeFolder })), homeFolder).toMatchObject({
          code: 'invalid_input',
          field: 'homeFolder',
        });
      }
      expect(await installation.dispatch('status', {})).toMatchObject({ hasOwner: false });
      expect(await installation.dispatch('setup', { ...owner, homeFolder: folder })).toMatchObject({ home: folder });
      expect(await readdir(join(installation.folder, 'homes'))).toEqual(['photos']);
      expect(await readFile(join(folder, 'lake.jpg'), 'utf8')).toBe('a picture');
    } finally {
      await installation.close();
    }
  });

  it.each([
    ['of two names', ['ann', 'bob']],
    ['of one name', ['ann', 'ann']],
    ['of one name in two cases', ['ann', 'Ann']],
  ])('creates one owner in two concurrent set-ups %s, and nothing of the other', async (_name, names) => {
    const installation = await emptyInstallation();
    try {
      const results = await Promise.all(
        names.map((owner) => refusalOf(installation.dispatch('setup', { owner, password: OWNER.password }))),
      );
      const won = results.filter((result) => 'result' in result);
      expect(won).toHaveLength(1);
      expect(results.find((result) => !('result' in result))).toMatchObject({ code: 'not_allowed' });
      expect(await readdir(join(installation.folder, 'homes'))).toEqual([
        (won[0] as { result: { username: string } }).result.username,
      ]);
      expect(won[0]).toMatchObject({ result: { id: 1 } });
    } finally {
      await installation.close();
    }
  });

  it('keeps the contents of an existing folder of that name', async () => {
    const installation = await emptyInstallation(['ann/kept.txt']);
    try {
      expect(await refusalOf(installation.dispatch('setup', { owner: 'ann', password: OWNER.password }))).toMatchObject(
        {
          code: 'invalid_input',
          field: 'owner',
        },
      );
      expect(await readdir(join(installation.folder, 'homes', 'ann'))).toEqual(['kept.txt']);
    } finally {
      await installation.close();
    }
  });
});

it('leaves the app of these tests able to sign in', async () => {
  expect((await app.password()).status).toBe(200);
});
