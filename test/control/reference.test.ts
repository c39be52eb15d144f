import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../dist/server/control/contract/contract.js';
import { Connection } from '../../dist/server/database/connection.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, MEMBER } from '../support/households/member.ts';
import { t } from '../support/server-texts.ts';
import { emptyInstallation } from './support.ts';
import { TRANSPORTS, type Transport } from './transports/transports.ts';

const HALF_MEGABYTE = 512 * 1024;
const MEGABYTE = 1024 * 1024;
/** The first account beside the owner. */
const MEMBER_ID = 2;

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, { [MEMBER.username]: {} });
  await writeFile(join(household.home, 'note.txt'), 'Küche');
  await writeFile(join(household.home, 'huge.txt'), 'ü'.repeat(HALF_MEGABYTE));
  await writeFile(join(household.home, 'bytes.bin'), randomBytes(3_000));
});
afterAll(() => household.close());

let attempts = 0;

interface Tried {
  readonly accountId?: number;
  readonly method?: string;
  readonly file?: { readonly name: string; readonly base64: string };
  readonly id?: string;
}

function input(operation: string, parameters: Record<string, string> = {}, tried: Tried = {}): Record<string, unknown> {
  attempts += 1;
  const pairs = Object.entries(parameters).map(([name, value]) => ({ name, value }));
  return { id: `attempt-${attempts}`, accountId: 1, operation, method: 'GET', parameters: pairs, ...tried };
}

type Answer = Output<'api.try'>;

const attempt = async (...call: Parameters<typeof input>) =>
  (await household.control('api.try', input(...call))) as unknown as Answer;
const refusal = (...call: Parameters<typeof input>) =>
  household.control('api.try', input(...call)).then(
    (answer) => ({ answer }),
    ({ code, field, message }) => ({ code, field, message }),
  );
const textOf = ({ body }: Answer) => (body.kind === 'text' ? body.text : `bytes: ${body.base64}`);
const jsonOf = (answer: Answer) => JSON.parse(textOf(answer)) as Record<string, unknown>;
const tried = async () =>
  (await household.control('activity.list', { kinds: ['api.tried'] })) as { entries: Record<string, unknown>[] };

describe.each(Object.entries(TRANSPORTS))('the reference over %s', (name, open) => {
  let control: Transport;

  beforeAll(async () => {
    control = await open(household);
  });
  afterAll(() => control.close());

  it('describes the operations as the API does', async () => {
    const { document } = (await control.call('api.description', {})) as Output<'api.description'>;
    expect(document).toEqual((await household.api.send('GET', '/api.php/openapi.json')).body);
    expect(document).toHaveProperty(['paths', '/files/browse', 'get', 'summary'], 'List a folder');
  });

  it('runs an operation with a file of the maximum size', async () => {
    const listed = (await control.call('api.try', input('files/browse', { path: '/ROOT/HOME' }))) as Answer;
    expect(listed).toMatchObject({ status: 200, mediaType: 'application/json' });
    expect(textOf(listed)).toContain('note.txt');
    const content = randomBytes(MEGABYTE);
    const to = { path: `/ROOT/HOME/${name}.bin` };
    const file = { name: 'sent.bin', base64: content.toString('base64') };
    const sent = (await control.call('api.try', input('files/upload', to, { method: 'POST', file }))) as Answer;
    expect(sent.status, textOf(sent)).toBeLessThan(300);
    expect(content.equals(await readFile(join(household.home, `${name}.bin`)))).toBe(true);
  });

  it('cancels an operation', async () => {
    expect(await control.call('api.cancel', { id: 'nothing' })).toEqual({ wasUnderWay: false });
  });
});

describe('an attempt', () => {
  it('is logged for the owner, and its effects as made by the panel', async () => {
    await attempt('files/createfolder', { path: '/ROOT/HOME', name: 'By the panel' }, { accountId: MEMBER_ID });
    const { entries } = (await household.control('activity.list', { limit: 5 })) as { entries: unknown[] };
    expect(entries).toContainEqual(
      expect.objectContaining({
        kind: 'folder.created',
        username: MEMBER.username,
        client: 'Control panel console',
        clientId: 'larder-console',
        channel: 'control',
        address: null,
      }),
    );
    const subject = `GET files/createfolder as ${MEMBER.username}`;
    expect((await tried()).entries[0]).toMatchObject({
      group: 'security',
      username: 'ann',
      channel: 'control',
      subject,
      details: { method: 'GET', operation: 'files/createfolder', of: MEMBER.username, status: 200 },
    });
  });

  it('runs as the selected account', async () => {
    const info = async (accountId: number) => jsonOf(await attempt('account/info', {}, { accountId }));
    expect(JSON.stringify(await info(1))).toContain('"ann"');
    expect(JSON.stringify(await info(MEMBER_ID))).toContain(`"${MEMBER.username}"`);
  });

  it('is limited to the rights of the account', async () => {
    const answer = await attempt('admin-users/info', { UID: '1' }, { accountId: MEMBER_ID, method: 'POST' });
    expect([answer.status, jsonOf(answer).code]).toEqual([403, 'permission_denied']);
    const foreign = await attempt('files/browse', { path: '/ROOT/HOME/../ann' }, { accountId: MEMBER_ID });
    expect(foreign.status).toBeGreaterThanOrEqual(400);
  });

  it('has the scopes of its operation only', async () => {
    const meta = { path: '/ROOT/HOME', filename: 'x', 'meta[rating]': '5' };
    const answer = await attempt('files/search', meta, { method: 'POST' });
    expect([answer.status, jsonOf(answer).code]).toEqual([403, 'insufficient_scope']);
  });

  it('is refused while the API is off', async () => {
    await household.control('settings.update', { apiEnabled: false });
    const answer = await attempt('files/browse', { path: '/ROOT/HOME' });
    await household.control('settings.update', { apiEnabled: true });
    expect([answer.status, jsonOf(answer).code]).toEqual([403, 'api_disabled']);
    expect((await tried()).entries[0]).toMatchObject({ details: { status: 403 } });
  });

  it('is refused for a deactivated account', async () => {
    const { username } = MEMBER;
    await household.control('accounts.update', { username, activated: false });
    const answer = await attempt('files/browse', { path: '/ROOT/HOME' }, { accountId: MEMBER_ID });
    expect([answer.status, jsonOf(answer).code]).toEqual([403, 'account_deactivated']);
    await household.control('accounts.activate', { username });
  });

  it.each([
    ['an operation that there is not', () => refusal('files/nothing'), 'operation'],
    ['an operation outside of the API', () => refusal('../oauth2/token'), 'operation'],
    ['a method that it does not take', () => refusal('files/move', {}, { method: 'GET' }), 'method'],
    ['nobody', () => refusal('files/browse', { path: '/ROOT/HOME' }, { accountId: 99 }), 'accountId'],
    ['a file that nothing carries', () => refusal('files/browse', {}, { file: { name: 'a', base64: '' } }), 'file'],
  ])('is refused for %s', async (_what, call, field) => {
    const before = (await tried()).entries.length;
    expect(await call()).toMatchObject({ code: 'refused', field });
    expect((await tried()).entries).toHaveLength(before);
  });

  it('refuses files over 1 MB', async () => {
    const file = { name: 'a', base64: Buffer.alloc(MEGABYTE + 1).toString('base64') };
    expect(await refusal('files/upload', {}, { method: 'POST', file })).toMatchObject({
      code: 'invalid_input',
      field: 'file',
    });
  });

  it('stores the body of a PUT at its path', async () => {
    const to = { path: '/ROOT/HOME/put.txt' };
    const file = { name: 'ignored', base64: Buffer.from('put here').toString('base64') };
    const answer = await attempt('files/upload', to, { method: 'PUT', file });
    expect(answer.status, textOf(answer)).toBe(201);
    expect(await readFile(join(household.home, 'put.txt'), 'utf8')).toBe('put here');
  });

  it('returns text as text, bytes as bytes, and headers', async () => {
    const text = await attempt('files/download', { path: '/ROOT/HOME/note.txt' });
    expect(text).toMatchObject({ status: 200, mediaType: 'text/plain', body: { kind: 'text', text: 'Küche' } });
    expect(text).toMatchObject({ bytes: 6, shownBytes: 6, milliseconds: expect.any(Number) });
    expect(text.headers).toContainEqual({ name: 'content-length', value: '6' });
    const bytes = await attempt('files/download', { path: '/ROOT/HOME/bytes.bin' });
    expect(bytes).toMatchObject({ bytes: 3_000, shownBytes: 3_000, body: { kind: 'bytes' } });
    const head = await attempt('files/download', { path: '/ROOT/HOME/huge.txt' }, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, bytes: 0, shownBytes: 0, body: { kind: 'text', text: '' } });
  });

  it('returns the beginning of a huge reply, and its length', async () => {
    const download = await attempt('files/download', { path: '/ROOT/HOME/huge.txt' });
    expect(download).toMatchObject({ status: 200, bytes: 2 * HALF_MEGABYTE, shownBytes: 256 * 1024 });
    expect(textOf(download)).toHaveLength(128 * 1024);
    await mkdir(join(household.home, 'many'));
    const names = Array.from({ length: 2_000 }, (_, at) => `${'x'.repeat(150)}-${at}.txt`);
    await Promise.all(names.map((one) => writeFile(join(household.home, 'many', one), '')));
    const list = await attempt('files/browse', { path: '/ROOT/HOME/many', 'details[]': 'uuid' });
    expect(list).toMatchObject({ status: 200, shownBytes: 256 * 1024 });
    expect(list.bytes).toBeGreaterThan(2_000 * 150);
  });

  it('can be cancelled', async () => {
    const id = 'broken-off';
    const file = { name: 'a.zip', base64: randomBytes(MEGABYTE).toString('base64') };
    const call = refusal('files/upload', { path: '/ROOT/HOME/a' }, { method: 'POST', file, id });
    let isOver = false;
    void call.finally(() => (isOver = true));
    let isUnderWay = false;
    while (!isUnderWay && !isOver) {
      isUnderWay = (await household.control('api.cancel', { id })).wasUnderWay === true;
      if (!isUnderWay) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(isUnderWay).toBe(true);
    expect(await call).toMatchObject({ code: 'refused', message: t('api.control.requestStopped') });
    const [last] = (await tried()).entries;
    expect(last).toMatchObject({ details: { operation: 'files/upload' } });
    expect(last?.details).not.toHaveProperty('status');
    expect(await household.control('api.cancel', { id })).toEqual({ wasUnderWay: false });
  });

  it('leaves no visible token, authorization or client', async () => {
    await attempt('files/browse', { path: '/ROOT/HOME' });
    expect(JSON.stringify(await household.control('authorizations.list'))).not.toContain('console');
    expect(JSON.stringify(await household.control('clients.list'))).not.toContain('console');
    for (const method of ['clients.update', 'clients.replaceSecret', 'clients.remove']) {
      const call = household.control(method, { clientId: 'larder-console' });
      await expect(call, method).rejects.toMatchObject({ code: 'refused' });
    }
    const form = { grant_type: 'password', ...MEMBER, scope: 'list', client_id: 'larder-console' };
    expect((await household.api.token(form)).body.error).toBe('invalid_client');
    // Of anything like a token, the log has none.
    expect(household.logged()).not.toMatch(/(?<![\w-])[\w-]{43}(?![\w-])/);
    await household.whileStopped(async () => {
      const database = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
      const rows = await database.all(
        `SELECT a.id, t.kind FROM clients c JOIN authorizations a ON a.client_id = c.id
         LEFT JOIN tokens t ON t.authorization_id = a.id WHERE c.client_id = 'larder-console'`,
      );
      const clients = await database.all("SELECT name FROM clients WHERE client_id = 'larder-console'");
      await database.close();
      expect(rows).toEqual([]);
      expect(clients).toHaveLength(1);
    });
  });
});

it('needs no listener, and works below a prefix', async () => {
  const installation = await emptyInstallation();
  try {
    await installation.dispatch('setup', { owner: 'ann', password: 'correct horse battery', enableApi: true });
    const answer = (await installation.dispatch('api.try', input('files/browse', { path: '/ROOT/HOME' }))) as Answer;
    expect([answer.status, textOf(answer).slice(0, 40)]).toEqual([200, expect.stringContaining('"success":true')]);
  } finally {
    await installation.close();
  }
  const prefixed = await openHousehold({ config: { basePath: '/files' } });
  try {
    const call = input('files/browse', { path: '/ROOT/HOME' });
    expect(await prefixed.control('api.try', call)).toMatchObject({ status: 200 });
  } finally {
    await prefixed.close();
  }
});
