import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { DAY, MINUTE } from '../../dist/server/lib/clock.js';
import { withoutSecrets } from '../../dist/server/settings/settings.js';
import { answer, asked, CALLBACK, household, inOneHousehold, signIn, visitor } from '../oauth/flow-support.ts';
import { appOf } from '../oauth/support.ts';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { MEMBER } from '../support/households/member.ts';
import { type ActivityRow, activityOf, rowsOf } from '../support/requests/activity.ts';
import { emptyInstallation } from './support.ts';

const LOCAL = '127.0.0.1';
const ANN = { accountId: 1, username: 'ann' };
const NOBODY = { accountId: null, username: null };
const NO_APP = { clientId: null, client: null };
const TESTS = () => ({ clientId: household.clientId, client: 'Tests' });
const CONTROL = { ...ANN, ...NO_APP, channel: 'control', address: null, group: 'security' };
/** Without what is another one every time. */
const told = (rows: readonly ActivityRow[]) => rows.map(({ id: _id, at: _at, ...row }) => row);
const refused = (method: string, input: unknown) =>
  household.control(method, input).then(
    () => 'done',
    ({ code, field }) => [code, field],
  );

inOneHousehold();

describe('the log of security', () => {
  it('begins with the set-up', async () => {
    const installation = await emptyInstallation();
    try {
      const setUp = { owner: 'ann', password: OWNER.password, enableApi: true, householdName: 'Orchard House' };
      await installation.dispatch('setup', setUp);
      const { entries } = (await installation.dispatch('activity.list', {})) as { entries: ActivityRow[] };
      expect(told(entries.reverse())).toEqual([
        { ...CONTROL, ...NOBODY, kind: 'account.created', subject: 'ann', details: {} },
        {
          ...CONTROL,
          kind: 'settings.changed',
          subject: 'backupFiles, apiEnabled, householdName',
          details: { backupFiles: true, apiEnabled: true, householdName: 'Orchard House' },
        },
        { ...CONTROL, kind: 'installation.set-up', subject: '', details: {} },
      ]);
    } finally {
      await installation.close();
    }
  });

  it('contains the password grant with account, app and scopes', async () => {
    const app = appOf(household);
    const rows = await rowsOf(household, () => app.signIn({ scope: 'profile list' }));
    const through = { ...ANN, ...TESTS(), group: 'security', channel: 'app', address: LOCAL };
    expect(told(rows)).toEqual([
      { ...through, kind: 'login.succeeded', subject: '', details: {} },
      { ...through, kind: 'authorization.granted', subject: 'Tests', details: { scopes: ['profile', 'list'] } },
    ]);
  });

  it('contains the sign-in on the page, and the authorization once the app has redeemed its code', async () => {
    const page = { ...ANN, group: 'security', channel: 'page', address: LOCAL };
    let consent = await visitor.get(asked({ prompt: 'consent' }));
    const signingIn = await rowsOf(household, async () => {
      const reply = await signIn(consent);
      consent = await visitor.get(reply.location ?? '');
    });
    expect(told(signingIn)).toEqual([{ ...page, ...NO_APP, kind: 'login.succeeded', subject: '', details: {} }]);
    const allowed = await answer(consent, 'allow');
    const code = new URL(allowed.location ?? '').searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...appOf(household).credentials };
    const exchange = await rowsOf(household, () => household.api.token(form));
    const granted = { ...page, ...TESTS(), subject: 'Tests' };
    expect(told(exchange)).toEqual([
      { ...granted, kind: 'authorization.granted', details: { scopes: ['profile', 'list'] } },
    ]);
    const again = await rowsOf(household, () => household.api.token(form));
    expect(told(again)).toEqual([
      {
        ...granted,
        kind: 'authorization.revoked',
        channel: 'larder',
        address: null,
        details: { reason: 'authorization code used again' },
      },
    ]);
  });

  it('contains the revocation by an app once', async () => {
    const app = appOf(household);
    const { access } = await app.signIn();
    const revoke = () =>
      household.api.send('POST', '/oauth2/revoke/', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ token: access, ...app.credentials })}`,
      });
    const rows = await rowsOf(household, async () => {
      await revoke();
      await revoke();
    });
    const through = { ...ANN, ...TESTS(), group: 'security', channel: 'app', address: LOCAL };
    expect(told(rows)).toEqual([
      { ...through, kind: 'authorization.revoked', subject: 'Tests', details: { reason: 'revoked by the app' } },
    ]);
  });

  it('contains failed sign-ins on pages and by API, and no unknown user names', async () => {
    const typed = `My-Password-${randomBytes(6).toString('hex')}`;
    const app = appOf(household);
    const rows = await rowsOf(household, async () => {
      await app.password({ password: 'wrong wrong wrong' });
      await app.password({ username: typed });
      await signIn(await visitor.get(asked()), { username: typed, password: typed });
    });
    const failed = { group: 'security', kind: 'login.failed', address: LOCAL, subject: '' };
    const details = { reason: 'wrong_password' };
    expect(told(rows)).toEqual([
      { ...failed, ...ANN, ...TESTS(), channel: 'app', details },
      { ...failed, ...NOBODY, ...TESTS(), channel: 'app', details },
      { ...failed, ...NOBODY, ...NO_APP, channel: 'page', details },
    ]);
    expect(JSON.stringify(await activityOf(household))).not.toContain(typed);
    expect(household.logged()).not.toContain(typed);
  });

  it('contains the deactivation by wrong passwords, and who activated the account again', async () => {
    const app = appOf(household);
    const { id } = await household.control('accounts.add', { ...MEMBER, username: 'max', name: 'Max' });
    const max = { accountId: Number(id), username: 'max' };
    const rows = await rowsOf(household, async () => {
      for (let time = 0; time < 5; time += 1) {
        household.clock.advance(61 * MINUTE);
        await app.password({ username: 'max', password: 'wrong wrong wrong' });
      }
      household.clock.advance(2 * MINUTE);
      await app.password({ username: 'max', password: MEMBER.password });
      await household.control('accounts.activate', { username: 'max' });
    });
    expect(rows.map(({ kind }) => kind)).toEqual([
      ...Array(5).fill('login.failed'),
      'account.deactivated',
      'login.failed',
      'account.activated',
    ]);
    expect(told(rows.slice(4))).toMatchObject([
      { ...max, details: { reason: 'wrong_password' } },
      { ...max, ...NO_APP, channel: 'larder', address: null, subject: 'max', details: { reason: 'wrong_passwords' } },
      // While it lasts, a right password is refused like a wrong one.
      { ...max, details: { reason: 'wrong_password' } },
      { ...CONTROL, subject: 'max', details: {} },
    ]);
  });

  it('contains changes of apps, settings and repairs, and no refused calls', async () => {
    let clientId = '';
    const rows = await rowsOf(household, async () => {
      ({ clientId } = (await household.control('clients.add', { name: 'Notes' })) as { clientId: string });
      await household.control('clients.remove', { clientId });
      await household.control('settings.update', { versionsKept: 9, baseUrl: 'https://files.example' });
      await household.control('settings.update', {});
      await household.control('doctor', {});
      await household.control('doctor', { repair: true });
      expect(await refused('clients.add', { name: '' })).toEqual(['invalid_input', 'name']);
      expect(await refused('clients.remove', { clientId: 'nobody' })).toEqual(['refused', 'clientId']);
      expect(await refused('accounts.activate', { username: 'nobody' })).toEqual(['refused', 'username']);
      expect(await refused('settings.update', { versionsKept: -1 })).toEqual(['invalid_input', 'versionsKept']);
    });
    expect(told(rows)).toEqual([
      { ...CONTROL, kind: 'client.added', subject: 'Notes', details: { clientId } },
      { ...CONTROL, kind: 'client.removed', subject: 'Notes', details: { clientId } },
      {
        ...CONTROL,
        kind: 'settings.changed',
        subject: 'baseUrl, versionsKept',
        details: { versionsKept: 9, baseUrl: 'https://files.example' },
      },
      { ...CONTROL, group: 'system', kind: 'doctor.repaired', subject: '', details: { repaired: 0, problems: 0 } },
    ]);
  });

  it('contains of a secret setting only that it was changed', () => {
    const values = { smtpHost: 'mail.example', smtpPassword: 'hunter2 hunter2' };
    expect(withoutSecrets(values, new Set(['smtpPassword']))).toEqual({ smtpHost: 'mail.example' });
  });
});

describe('no secret', () => {
  it('appears in a row of the log or a line of the output', async () => {
    const own = await openHousehold();
    try {
      const app = appOf(own);
      const secrets: string[] = [OWNER.password, own.clientSecret];
      const first = await app.signIn();
      const second = (await app.refresh(first.refresh)).body;
      secrets.push(first.access, first.refresh, second.access_token, second.refresh_token);
      for (const secret of ['a wrong password 1', 'a wrong password 2']) {
        secrets.push(secret);
        await app.password({ password: secret });
        await app.password({ username: secret, password: secret });
      }
      own.clock.advance(61 * MINUTE);
      secrets.push(...(await throughThePages(own)));
      const added = await own.control('clients.add', { name: 'Other', redirectUris: ['https://b.example/'] });
      secrets.push(String(added.clientSecret));
      const link = await own.control('panel.link');
      secrets.push(String(link.url).split('=').at(-1) ?? '');
      const api = await own.signIn();
      secrets.push(api.token_ ?? '');
      await api.put({ path: '/ROOT/HOME/a.txt' }, 'the content of the file');
      secrets.push('the content of the file');
      await api.get('files/download', { path: '/ROOT/HOME/a.txt' });
      await api.get('files/browse', { path: '/ROOT/HOME', access_token: api.token_ ?? '' });
      const { entries } = await activityOf(own);
      expect(entries.length).toBeGreaterThan(10);
      const rows = await everything(own);
      expect(rows).toContain('login.failed');
      for (const secret of secrets) {
        expect(secret.length).toBeGreaterThan(10);
        for (const form of [secret, createHash('sha256').update(secret).digest('hex')]) {
          expect(rows).not.toContain(form);
          expect(own.logged()).not.toContain(form);
        }
      }
    } finally {
      await own.close();
    }
  });

  /** A browser's way to an app. @returns what nobody else may know of it */
  async function throughThePages(own: Household): Promise<string[]> {
    const browser = new WebVisitor(own);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: own.clientId,
      redirect_uri: CALLBACK,
      scope: 'profile list',
      prompt: 'consent',
    });
    const first = await browser.get(`/oauth2/authorize/?${query}`);
    const fields = { form_token: first.field('form_token'), next: first.field('next') };
    const signedIn = await browser.post('/account/sign-in', { ...fields, ...OWNER });
    const consent = await browser.get(signedIn.location ?? '');
    const formToken = consent.field('form_token');
    const allowed = await browser.post('/oauth2/authorize/', {
      form_token: formToken,
      request: consent.field('request'),
      answer: 'allow',
    });
    const code = new URL(allowed.location ?? '').searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...appOf(own).credentials };
    const { body } = await own.api.token(form);
    expect(body.access_token).toEqual(expect.any(String));
    return [code, formToken, body.access_token, body.refresh_token, ...browser.cookies.values()];
  }

  /** The whole table, as it stands in the file. */
  async function everything({ folder }: Household): Promise<string> {
    const connection = await Connection.open(join(folder, '.larder', 'larder.sqlite'));
    try {
      return JSON.stringify(await connection.all('SELECT * FROM activity'));
    } finally {
      await connection.close();
    }
  }
});

describe('activity.list', () => {
  let own: Household;
  beforeAll(async () => {
    own = await openHousehold();
    const api = await own.signIn();
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'Übung' });
    for (const name of ['50%_off.txt', 'a.txt', 'b.txt']) await api.put({ path: `/ROOT/HOME/Übung/${name}` }, name);
    own.clock.advance(DAY);
    await own.control('settings.update', { trashDays: 29 });
    await own.control('clients.add', { name: 'Café' });
    await (await own.signIn()).post('files/rename', { path: '/ROOT/HOME/Übung/a.txt', newName: 'c.txt' });
  });
  afterAll(() => own.close());
  const kinds = async (query: Record<string, unknown>) =>
    (await activityOf(own, query)).entries.map(({ kind, subject }) => `${kind} ${subject}`);

  it('lists all rows in pages, newest first, each once, also while rows are added', async () => {
    const { entries: all, next } = await activityOf(own);
    expect(next).toBeNull();
    expect(all.map(({ id }) => id)).toEqual([...all.map(({ id }) => id)].sort((a, b) => b - a));
    const paged: ActivityRow[] = [];
    for (let before: number | undefined; ; ) {
      const page = await activityOf(own, { limit: 2, before });
      paged.push(...page.entries);
      if (paged.length === 2) await own.control('settings.update', { trashDays: 28 });
      if (page.next === null) break;
      expect(page.entries).toHaveLength(2);
      before = page.next;
    }
    expect(paged).toEqual(all);
  });

  it.each([
    [{ group: 'files', limit: 1 }, ['item.renamed /ROOT/HOME/Übung/c.txt']],
    [{ kinds: ['client.added'] }, ['client.added Café', 'client.added Tests']],
    [{ kinds: ['client.added', 'item.renamed'], group: 'files' }, ['item.renamed /ROOT/HOME/Übung/c.txt']],
    [{ kinds: ['nonsense'] }, []],
    [{ group: 'sharing' }, []],
    [{ accountId: 2 }, []],
    [{ text: 'A.TXT' }, ['item.renamed /ROOT/HOME/Übung/c.txt', 'file.created /ROOT/HOME/Übung/a.txt']],
    [{ text: '%_' }, ['file.created /ROOT/HOME/Übung/50%_off.txt']],
    [{ text: 'ü' + 'bung/B', group: 'files' }, ['file.created /ROOT/HOME/Übung/b.txt']],
    [{ text: 'u\u0308bung/B', group: 'files' }, ['file.created /ROOT/HOME/Übung/b.txt']],
    [{ text: 'öbung' }, []],
    [{ text: 'CAFÉ' }, ['client.added Café']],
    [{ text: 'nobody' }, []],
    [{ text: "' OR 1=1 --" }, []],
    [{ text: '\\' }, []],
  ])('finds %j', async (query, expected) => {
    expect(await kinds(query)).toEqual(expected);
  });

  it('finds people, apps and addresses, and combines the filters', async () => {
    const { entries } = await activityOf(own, { accountId: 1, group: 'files', text: '127.0.0.1' });
    expect(entries).toHaveLength(5);
    expect((await activityOf(own, { text: 'tESTs', group: 'files' })).entries).toEqual(entries);
    expect((await activityOf(own, { text: 'ANN', group: 'files' })).entries).toEqual(entries);
    expect((await activityOf(own, { text: 'ANN', group: 'files', limit: 2 })).next).toBe(entries[1]?.id);
  });

  it('limits the time from the start, inclusive, to the end, exclusive', async () => {
    const yesterday = new Date(own.clock.now() - DAY / 2).toISOString();
    expect(await kinds({ since: yesterday, group: 'files' })).toEqual(['item.renamed /ROOT/HOME/Übung/c.txt']);
    expect(await kinds({ until: yesterday, group: 'files' })).toHaveLength(4);
    expect(await kinds({ since: yesterday, until: yesterday })).toEqual([]);
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 501 }, 'limit'],
    [{ before: 0 }, 'before'],
    [{ since: 'yesterday' }, 'since'],
    [{ group: 'gossip' }, 'group'],
    [{ kinds: [] }, 'kinds'],
    [{ text: 'x'.repeat(201) }, 'text'],
    [{ surplus: 1 }, ''],
  ])('refuses %j', async (query, field) => {
    expect(await refused('activity.list', query)).toEqual(['invalid_input', field]);
  });

  it('is for owners only', async () => {
    const installation = await emptyInstallation();
    try {
      await expect(installation.dispatch('activity.list', {})).rejects.toMatchObject({ code: 'not_allowed' });
    } finally {
      await installation.close();
    }
  });

  it('lists all rows after a restart, including those not yet written before it', async () => {
    const api = await own.signIn();
    await api.put({ path: '/ROOT/HOME/last.txt' }, 'last');
    await own.restart();
    expect((await activityOf(own, { limit: 1 })).entries).toMatchObject([{ subject: '/ROOT/HOME/last.txt' }]);
    const before = (await activityOf(own)).entries;
    await own.restart();
    expect((await activityOf(own)).entries).toEqual(before);
  });

  it('deletes rows older than the configured number of days', async () => {
    await own.control('settings.update', { activityDays: 2 });
    own.clock.advance(DAY);
    await own.control('settings.update', { trashDays: 27 });
    await own.larder.maintenance();
    expect((await activityOf(own)).entries.length).toBeGreaterThan(5);
    own.clock.advance(DAY + MINUTE);
    await own.larder.maintenance();
    expect((await activityOf(own)).entries).toMatchObject([{ kind: 'settings.changed', details: { trashDays: 27 } }]);
    own.clock.advance(5 * DAY);
    await own.larder.maintenance();
    expect(await activityOf(own)).toEqual({ entries: [], next: null });
  });
});
