import { beforeAll, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { asked, household, inOneHousehold, toConsent, visitor } from './flow-support.ts';
import { appOf, type Credentials } from './support.ts';

inOneHousehold();

let app: ReturnType<typeof appOf>;
let client: Credentials;

beforeAll(async () => {
  const added = await household.control('clients.add', {
    name: 'Notes',
    redirectUris: ['https://app.example/callback'],
  });
  client = { client_id: String(added.clientId), client_secret: String(added.clientSecret) };
  app = appOf(household, client);
});

const enable = (enabled: boolean) => household.control('clients.update', { clientId: client.client_id, enabled });

async function listed() {
  const { clients } = (await household.control('clients.list')) as { clients: { clientId: string }[] };
  return clients.find(({ clientId }) => clientId === client.client_id);
}

it('gets nothing from any endpoint while disabled, and everything again when enabled', async () => {
  const pair = await app.signIn();
  expect(await app.use(pair.access)).toBe(200);
  expect(await listed()).toMatchObject({ enabled: true, people: 1, lastUsedAt: expect.any(String) });

  expect(await enable(false)).toMatchObject({ enabled: false, name: 'Notes' });
  expect(await app.use(pair.access)).toBe(401);
  expect((await app.refresh(pair.refresh)).status).toBe(401);
  expect((await app.password()).status).toBe(401);
  const page = await visitor.get(asked({ client_id: client.client_id }));
  expect([page.status, page.text]).toEqual([400, expect.stringContaining(t('refusal.why.client'))]);
  // Nobody has to allow it again, and the secret is the same.
  expect(await listed()).toMatchObject({ enabled: false, people: 1 });

  expect(await enable(true)).toMatchObject({ enabled: true });
  expect(await app.use(pair.access)).toBe(200);
  expect((await app.refresh(pair.refresh)).status).toBe(200);
  expect((await toConsent(asked({ client_id: client.client_id }))).location).toContain('code=');
});

it('cannot redeem a code that was issued before it was disabled', async () => {
  const { clients } = (await household.control('clients.list')) as {
    clients: { clientId: string; enabled: boolean }[];
  };
  expect(clients.every(({ enabled }) => enabled)).toBe(true);
  await enable(false);
  const { status, body } = await household.api.token({
    grant_type: 'authorization_code',
    code: 'whatever',
    redirect_uri: 'https://app.example/callback',
    code_verifier: 'x'.repeat(43),
    ...client,
  });
  expect([status, body.error]).toEqual([401, 'invalid_client']);
  await enable(true);
});

it('the default mobile client is not added a second time after a restart', async () => {
  await household.control('clients.update', { clientId: 'larder-mobile', enabled: false });
  await household.restart();
  const { clients } = (await household.control('clients.list')) as {
    clients: { clientId: string; enabled: boolean }[];
  };
  expect(clients.filter(({ clientId }) => clientId === 'larder-mobile')).toMatchObject([{ enabled: false }]);
});
