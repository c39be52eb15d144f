import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../../../dist/server/messages/messages.js';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { MEMBER } from '../../support/households/member.ts';
import type { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { openMailServer } from '../../support/system/mail-server.ts';
import { type Arena, expectTold, type Race, RUNNERS, together, told } from './races.ts';

/** Who is there besides the owner. */
export interface People {
  /** A member with two megabytes, and the name of the home. */
  readonly withQuota: { readonly api: ApiClient; readonly home: string };
  /** Without a token. */
  readonly nobody: ApiClient;
  /** Their browser, signed in as the member. */
  readonly browser: WebVisitor;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Has a link for a new password sent. @returns the path in it */
  resetLink(): Promise<string>;
  newBrowser(): WebVisitor;
  close(): Promise<void>;
}

const CALLBACK = 'https://app.example/callback';
const USERNAME = 'quinn';
const EMAIL = 'quinn@orchard.example';

export async function openPeople(installation: Installation, api: ApiClient): Promise<People> {
  const mail = await openMailServer();
  const smtp = { smtpHost: '127.0.0.1', smtpPort: mail.port, smtpSecurity: 'none' };
  await installation.control('settings.update', {
    ...smtp,
    mailFrom: 'larder@orchard.example',
    baseUrl: 'https://orchard.example:8443',
  });
  const permissions = { space_quota_max: 2 };
  const added = { ...MEMBER, username: USERNAME, name: 'Quinn', email: EMAIL, createHomeFolder: true, permissions };
  await installation.control('accounts.add', added);
  const { clientId, clientSecret } = await installation.control('clients.add', {
    name: 'Racer',
    redirectUris: [CALLBACK],
  });
  const ca = await readFile(join(installation.folder, '.larder', 'tls', 'ca.crt'), 'utf8');
  const newBrowser = () => new WebVisitor({ port: Number(new URL(api.base).port), ca });
  let mails = 0;
  return {
    withQuota: { api: api.with(await installation.token(USERNAME, MEMBER.password)), home: USERNAME },
    nobody: api.with(''),
    browser: await signedIn(newBrowser(), MEMBER.password),
    client: { client_id: String(clientId), client_secret: String(clientSecret) },
    newBrowser,
    async resetLink() {
      const visitor = newBrowser();
      const page = await visitor.get('/account/forgotten');
      await visitor.post('/account/forgotten', { form_token: page.field('form_token'), who: USERNAME });
      mails += 1;
      const { parts } = await mail.received(mails);
      return /https:\/\/[^/]+(\/account\/reset\?code=[\w-]{43})/.exec(parts['text/plain'] ?? '')?.[1] ?? '';
    },
    close: () => mail.close(),
  };
}

async function signedIn(visitor: WebVisitor, password: string, username = USERNAME): Promise<WebVisitor> {
  const page = await visitor.get('/account/sign-in');
  const fields = { form_token: page.field('form_token'), next: '', username, password };
  const { status } = await visitor.post('/account/sign-in', fields);
  if (status !== 303) throw new Error(`not signed in: ${status}`);
  return visitor;
}

/** Through consent, the first time. */
async function newCode({ browser, client }: People): Promise<string> {
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    scope: 'profile list',
  });
  let reply = await browser.get(`/oauth2/authorize/?${asked}`);
  if (reply.location === null) {
    const fields = { form_token: reply.field('form_token'), request: reply.field('request'), answer: 'allow' };
    reply = await browser.post('/oauth2/authorize/', fields);
  }
  const code = new URL(reply.location ?? '').searchParams.get('code');
  if (code === null) throw new Error(`no code: ${reply.status} ${reply.location}`);
  return code;
}

const redeem = ({ people }: Arena, code: string) =>
  people.nobody.token({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...people.client });

const refresh = ({ people }: Arena, token: string) =>
  people.nobody.token({ grant_type: 'refresh_token', refresh_token: token, ...people.client });

const use = ({ people }: Arena, token: string) => people.nobody.with(token).get('account/info');

export const PEOPLE_RACES: Readonly<Record<string, Race>> = {
  // RFC 6749 §4.1.2: at the most one gets tokens, and the second use takes them away again.
  'an authorization code': async (arena) => {
    const code = await newCode(arena.people);
    const replies = await together(() => redeem(arena, code));
    const good = replies.filter(({ status }) => status === 200);
    if (good.length > 1) return `${good.length} got tokens`;
    for (const { body } of good) {
      if ((await use(arena, body.access_token)).status !== 401) return 'the tokens work after the second use';
      if ((await refresh(arena, body.refresh_token)).status !== 400) return 'the refresh token works after it';
    }
    return replies.every(({ status }) => status === 200 || status === 400) ? null : told(replies);
  },

  // Within a minute each gets a pair of its own; all of them are one authorization.
  'a refresh token': async (arena) => {
    const { body: first } = await redeem(arena, await newCode(arena.people));
    const replies = await together(() => refresh(arena, first.refresh_token));
    const wrong = expectTold(replies, '200: 20');
    if (wrong !== null) return wrong;
    const pairs = replies.map(({ body }) => body);
    const different = new Set(pairs.flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]));
    if (different.size !== 2 * RUNNERS) return `${different.size} different tokens`;
    const used = await Promise.all(pairs.map(({ access_token }) => use(arena, access_token)));
    if (used.some(({ status }) => status !== 200)) return `used: ${told(used)}`;
    await arena.people.nobody.send('POST', '/oauth2/revoke/', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: pairs[7]?.refresh_token, ...arena.people.client }).toString(),
    });
    const after = await Promise.all(pairs.map(({ access_token }) => use(arena, access_token)));
    return after.every(({ status }) => status === 401) ? null : `after one is revoked: ${told(after)}`;
  },

  'a refresh token against its revocation': async (arena) => {
    const { body: first } = await redeem(arena, await newCode(arena.people));
    const revoke = () =>
      arena.people.nobody.send('POST', '/oauth2/revoke/', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token: first.refresh_token, ...arena.people.client }).toString(),
      });
    const replies = await together((n) => (n === 10 ? revoke() : refresh(arena, first.refresh_token)));
    const pairs = replies.filter(({ body }) => body.access_token !== undefined).map(({ body }) => body);
    const after = await Promise.all(pairs.map(({ access_token }) => use(arena, access_token)));
    return after.every(({ status }) => status === 401) ? null : `tokens outlive the revocation: ${told(after)}`;
  },

  'a user name, by the API and by the panel': async ({ installation, api, round }) => {
    const name = (n: number) => (n % 4 < 2 ? `racer${round}` : `RACER${round}`);
    const outcomes = await together(async (n) => {
      if (n % 2 === 0) {
        const form = { 'data[username]': name(n), 'data[name]': 'R', create_home_folder: 1 };
        return (await api.post('admin-users/add', form)).body.code ?? 'added';
      }
      const asked = { username: name(n), name: 'R', createHomeFolder: true };
      return installation.control('accounts.add', asked).then(
        () => 'added',
        (error: { code?: string; message?: string }) => error.code ?? error.message ?? 'failed',
      );
    });
    const added = outcomes.filter((outcome) => outcome === 'added').length;
    const { accounts } = (await installation.control('accounts.list', { text: `racer${round}` })) as {
      accounts: { username: string }[];
    };
    const same = accounts.filter(({ username }) => username.toLowerCase() === `racer${round}`);
    const homes = (await readdir(join(installation.folder, 'homes'))).filter(
      (home) => home.toLowerCase() === `racer${round}`,
    );
    const others = new Set(outcomes.filter((outcome) => outcome !== 'added'));
    // Who comes while the home of the first one is being made hears of the home, and later ones of the name.
    const refusals = ['username_in_use', 'invalid_parameter', 'invalid_input'];
    const isFine = added === 1 && same.length === 1 && homes.length === 1;
    return isFine && [...others].every((code) => refusals.includes(code))
      ? null
      : `${added} said added, ${same.length} accounts, homes ${homes}, else ${[...others]}`;
  },

  'a password, changed by many who know the old one': async ({ api, installation, people, round }) => {
    const username = `changer${round}`;
    await installation.control('accounts.add', { ...MEMBER, username, name: 'C' });
    const token = await installation.token(username, MEMBER.password);
    // Three: those who come late have a wrong password, and the third of those makes everybody wait.
    const form = (n: number) => ({ current_password: MEMBER.password, new_password: `a rather good one ${n}` });
    const replies = await together((n) => api.with(token).post('account/password', form(n)), 3);
    const won = replies.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    if (won.length !== 1) return `${won.length} changed it: ${told(replies)}`;
    await signedIn(people.newBrowser(), `a rather good one ${won[0]}`, username);
    return null;
  },

  'a share with one member': async ({ installation, api, round }) => {
    const name = `shared ${round}`;
    await api.post('files/createfolder', { path: '/ROOT/HOME', name });
    const { id } = await installation.control('accounts.get', { username: USERNAME });
    const replies = await together(() => api.post('files/share', { path: `/ROOT/HOME/${name}`, uid: Number(id) }));
    const ids = new Set(replies.map(({ body }) => body.data?.shareid));
    if (ids.size !== 1) return `${ids.size} shares: ${told(replies)}`;
    const ended = await together(() => api.post('files/unshare', { path: `/ROOT/HOME/${name}`, uid: Number(id) }));
    return expectTold(ended, '200: 1, 409: 19');
  },
};

/** Apart from the others: it ends every session and token, and an hour has three of them. */
export async function resetRace({ people }: Pick<Arena, 'people'>): Promise<string | null> {
  const path = await people.resetLink();
  const forms = await together(async (n) => {
    const visitor = people.newBrowser();
    return { visitor, page: await visitor.get(path), password: `a rather good one ${n}` };
  });
  const replies = await Promise.all(
    forms.map(({ visitor, page, password }) => {
      const carried = { form_token: page.field('form_token'), reset: page.field('reset') };
      return visitor.post('/account/reset', { ...carried, new_password: password, repeat: password });
    }),
  );
  // For the others the link has ended.
  const wrong = expectTold(replies, '200: 1, 410: 19');
  if (wrong !== null) return wrong;
  const won = replies.flatMap(({ text }, n) => (text.includes(t('forgotten.done.heading')) ? [n] : []));
  if (won.length !== 1) return `${won.length} set a password: ${told(replies)}`;
  await signedIn(people.newBrowser(), `a rather good one ${won[0]}`);
  return null;
}
