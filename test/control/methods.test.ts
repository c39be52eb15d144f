import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../dist/server/control/contract/contract.js';
import { redirectUriProblem } from '../../dist/server/oauth/clients/redirect-uris.js';
import { appOf } from '../oauth/support.ts';
import { sampled } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { refusalOf } from './support.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

const refused = (method: string, input?: unknown) => refusalOf(household.control(method, input));

describe('the dispatcher', () => {
  it.each(['nope', '', 'constructor', '__proto__', 'toString', 'settings', 'Status', 'settings.get '])(
    'knows no method "%s"',
    async (method) => {
      expect(await refused(method)).toMatchObject({ code: 'unknown_method' });
    },
  );

  it.each(Object.keys(contract))('refuses input of the wrong shape for %s', async (method) => {
    // Only before there is an owner.
    if (method === 'setup' || method === 'setup.check') return;
    for (const input of [null, 'text', 1, [], true, { surplus: 1 }, JSON.parse('{"__proto__x": 1}')]) {
      expect(await refused(method, input), JSON.stringify(input)).toMatchObject({ code: 'invalid_input' });
    }
  });

  it.each([
    ['clients.add', {}, 'name'],
    ['clients.add', { name: 5 }, 'name'],
    ['clients.add', { name: '' }, 'name'],
    ['clients.add', { name: ' \t' }, 'name'],
    ['clients.add', { name: 'x'.repeat(101) }, 'name'],
    ['clients.add', { name: 'x', redirectUris: 'https://a.example/' }, 'redirectUris'],
    ['clients.add', { name: 'x', redirectUris: [1] }, 'redirectUris.0'],
    ['clients.add', { name: 'x', redirectUris: ['https://a.example/', '/b'] }, 'redirectUris'],
    [
      'clients.add',
      { name: 'x', redirectUris: Array.from({ length: 51 }, (_, i) => `https://a.example/${i}`) },
      'redirectUris',
    ],
    ['clients.remove', { clientId: 7 }, 'clientId'],
    ['accounts.activate', { username: null }, 'username'],
  ])('names the input of %s that is at fault: %j', async (method, input, field) => {
    expect(await refused(method, input)).toMatchObject({ code: 'invalid_input', field });
  });

  it.each([
    ['clients.remove', { clientId: 'nobody' }, 'clientId'],
    ['clients.remove', { clientId: 'a\0b' }, 'clientId'],
    ['accounts.activate', { username: 'nobody' }, 'username'],
    ['accounts.activate', { username: 'ann\0' }, 'username'],
  ])('refuses %s for what is not there: %j', async (method, input, field) => {
    expect(await refused(method, input)).toMatchObject({ code: 'refused', field });
  });
});

describe('settings.update', () => {
  const UNFIT = [
    { apiEnabled: 'yes' },
    { wrongPasswordLimit: 2 },
    { wrongPasswordLimit: 101 },
    { wrongPasswordLimit: 5.5 },
    { wrongPasswordLimit: null },
    { baseUrl: 'http://files.example' },
    { baseUrl: 'files.example' },
    { baseUrl: 'https://ann:secret@files.example' },
    { baseUrl: 'https://files.example/?a=b' },
    { baseUrl: 'https://files.example/#top' },
    { baseUrl: 'javascript:alert(1)//https://' },
    { backupFolder: 'backups' },
    { backupFolder: '/no/such/folder' },
    { backupEvery: 'hour' },
    { backupHour: 24 },
    { backupKeep: 0 },
    { backupSealing: null },
    { householdName: '' },
    { householdName: '   ' },
    { householdName: 'x'.repeat(61) },
    { nothing: 1 },
  ];

  it.each(sampled(UNFIT, 8))('changes nothing when one value does not fit: %j', async (change) => {
    const before = await household.control('settings.get');
    const failure = await refused('settings.update', { ...change, httpTesting: true });
    expect(failure).toMatchObject({ code: 'invalid_input' });
    expect(await household.control('settings.get')).toEqual(before);
    await household.restart();
    expect(await household.control('settings.get')).toEqual(before);
  });

  it('replies all settings, and leaves what was not given', async () => {
    const before = await household.control('settings.get');
    const after = await household.control('settings.update', { householdName: '  The Smiths ', wrongPasswordLimit: 7 });
    expect(after).toEqual({ ...before, householdName: 'The Smiths', wrongPasswordLimit: 7 });
    await household.restart();
    expect(await household.control('settings.get')).toEqual(after);
    expect(await household.control('settings.update', { householdName: 'Larder', wrongPasswordLimit: 5 })).toEqual(
      before,
    );
    expect(await household.control('settings.update', {})).toEqual(before);
  });

  it('keeps changes that are made at the same time', async () => {
    await Promise.all([
      household.control('settings.update', { wrongPasswordLimit: 9 }),
      household.control('settings.update', { householdName: 'Both' }),
      household.control('settings.update', { baseUrl: 'https://files.example' }),
    ]);
    const expected = { wrongPasswordLimit: 9, householdName: 'Both', baseUrl: 'https://files.example' };
    expect(await household.control('settings.get')).toMatchObject(expected);
    await household.restart();
    expect(await household.control('settings.get')).toMatchObject(expected);
    await household.control('settings.update', { wrongPasswordLimit: 5, householdName: 'Larder', baseUrl: '' });
  });
});

describe('clients', () => {
  it('shows the secret once, and stores and lists none', async () => {
    const added = await household.control('clients.add', {
      name: '  <b>Notes</b> ',
      redirectUris: ['https://a.example/cb', 'https://a.example/cb', 'app.notes:/cb'],
    });
    expect(added).toEqual({
      clientId: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      name: '<b>Notes</b>',
      public: false,
      redirectUris: ['https://a.example/cb', 'app.notes:/cb'],
      publisher: '',
      website: '',
      hasLogo: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      enabled: true,
    });
    const { clients } = await household.control('clients.list');
    expect(JSON.stringify(clients)).not.toContain(String(added.clientSecret));
    expect(clients).toContainEqual({
      clientId: added.clientId,
      name: added.name,
      public: false,
      redirectUris: added.redirectUris,
      publisher: '',
      website: '',
      hasLogo: false,
      createdAt: added.createdAt,
      enabled: true,
      people: 0,
      lastUsedAt: null,
    });
    expect(clients).toContainEqual(
      expect.objectContaining({ clientId: 'larder-mobile', public: true, redirectUris: ['larder://oauth'] }),
    );
    expect(household.logged()).not.toContain(String(added.clientSecret));
  });

  it('changes what is given and leaves the rest, and the secret only when told to', async () => {
    const added = await household.control('clients.add', { name: 'Notes', redirectUris: ['https://a.example/cb'] });
    const { clientId } = added;
    const changed = await household.control('clients.update', { clientId, publisher: ' Fern & Field ' });
    expect(changed).toMatchObject({
      clientId,
      name: 'Notes',
      publisher: 'Fern & Field',
      redirectUris: ['https://a.example/cb'],
    });
    expect(await household.control('clients.update', { clientId, name: 'Notes 2', redirectUris: [] })).toMatchObject({
      name: 'Notes 2',
      publisher: 'Fern & Field',
      redirectUris: [],
    });
    const { clientSecret } = await household.control('clients.replaceSecret', { clientId });
    const its = (secret: unknown) => appOf(household, { client_id: String(clientId), client_secret: String(secret) });
    expect((await its(added.clientSecret).password()).status).toBe(401);
    expect((await its(clientSecret).password()).status).toBe(200);
    expect(household.logged()).not.toContain(String(clientSecret));
  });

  it('registers public clients without a secret', async () => {
    const added = await household.control('clients.add', {
      name: 'Phone',
      redirectUris: ['app.phone:/cb'],
      public: true,
    });
    expect(added).toMatchObject({ public: true, clientSecret: null });
    expect(await refused('clients.replaceSecret', { clientId: added.clientId })).toMatchObject({ code: 'refused' });
  });

  it.each([
    [{ publisher: 'x'.repeat(101) }, 'publisher'],
    [{ publisher: 'a\nb' }, 'publisher'],
    [{ website: 'http://notes.example' }, 'website'],
    [{ website: 'javascript:alert(1)' }, 'website'],
    [{ website: 'https://' }, 'website'],
    [{ logo: Buffer.from('no picture').toString('base64') }, 'logo'],
    [{ logo: '***' }, 'logo'],
    [{ name: 'a\0b' }, 'name'],
  ])('refuses %o', async (details, field) => {
    expect(await refused('clients.add', { name: 'Odd', ...details })).toMatchObject({ code: 'invalid_input', field });
  });

  it('registers none of the client when one redirect URI is refused', async () => {
    const before = await household.control('clients.list');
    expect(
      await refused('clients.add', { name: 'Half', redirectUris: ['https://ok.example/', 'http://not.example/'] }),
    ).toMatchObject({ code: 'invalid_input', field: 'redirectUris', message: expect.stringContaining('not.example') });
    expect(await household.control('clients.list')).toEqual(before);
  });

  it('matches a redirect URI only exactly, whatever was accepted', async () => {
    const host = fc.constantFrom(
      'https://a.example',
      'http://localhost:8080',
      'http://127.0.0.1',
      'app.x://cb',
      'app.x:',
    );
    const tail = fc.stringMatching(/^\/[a-zA-Z0-9/%?=&._~-]{0,12}$/);
    const uri = fc.tuple(host, tail).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(uri, fc.nat(9), async (registered, which) => {
        fc.pre(redirectUriProblem(registered) === null);
        const { clientId, clientSecret } = await household.control('clients.add', {
          name: 'Property',
          redirectUris: [registered],
        });
        const its = appOf(household, { client_id: String(clientId), client_secret: String(clientSecret) });
        const other = [
          `${registered}/`,
          registered.slice(0, -1),
          `${registered}?`,
          `${registered}x`,
          registered.toUpperCase(),
          registered.replace('://', ':///'),
          `${registered}%00`,
          ` ${registered}`,
          `${registered}#`,
          registered.replace('a', '%61'),
        ][which];
        expect((await its.password({ redirect_uri: registered })).status).toBe(200);
        if (other !== undefined && other !== registered && other !== '') {
          expect((await its.password({ redirect_uri: other })).status, other).toBe(400);
        }
        await household.control('clients.remove', { clientId });
      }),
      { numRuns: 25 },
    );
  });
});
