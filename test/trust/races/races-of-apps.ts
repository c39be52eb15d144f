import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MEMBER } from '../../support/households/member.ts';
import type { Reply } from '../../support/requests/api-client.ts';
import { OCS, OCS_SHARES } from '../access/asked.ts';
import { type Arena, expectTold, type Race, RUNNERS, together, told } from './races.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const form = (fields: Record<string, string>) => ({ headers: FORM, body: new URLSearchParams(fields).toString() });

/** An app without a sign-in that asks for one in the browser. */
async function beginLogin({ people }: Arena): Promise<{ login: string; token: string }> {
  const { status, body, text } = await people.nobody.send('POST', '/index.php/login/v2', {
    headers: { authorization: 'None', 'user-agent': 'Study PC' },
  });
  if (status !== 200) throw new Error(`no sign-in of an app began: ${status} ${text}`);
  return { login: body.login, token: body.poll.token };
}

/** What the page for the browser sends when the person agrees. */
async function agreement({ people }: Arena, login: string): Promise<Record<string, string>> {
  const page = await people.browser.get(login);
  const carried = { form_token: page.field('form_token'), flow: page.field('flow') };
  return { ...carried, label: 'Study PC', password: MEMBER.password };
}

const agree = ({ people }: Arena, fields: Record<string, string>) => people.browser.post('/account/connect', fields);

const poll = ({ people }: Arena, token: string) => {
  const { headers, body } = form({ token });
  return people.nobody.send('POST', '/index.php/login/v2/poll', {
    headers: { authorization: 'None', ...headers },
    body,
  });
};

const basic = ({ loginName, appPassword }: { loginName: string; appPassword: string }) =>
  `Basic ${Buffer.from(`${loginName}:${appPassword}`).toString('base64')}`;

const signOut = ({ people }: Arena, authorization: string) =>
  people.nobody.send('DELETE', '/ocs/v2.php/core/apppassword', { headers: { ...OCS, authorization } });

async function passwordsOf({ people }: Arena): Promise<number> {
  const { body } = await people.withQuota.api.get('account/app-passwords/list');
  return body.data.passwords.length;
}

function sharing({ api }: Arena, method: string, below: string, fields?: Record<string, string>): Promise<Reply> {
  const sent = fields === undefined ? { headers: {} } : form(fields);
  return api.send(method, `${OCS_SHARES}${below}`, { ...sent, headers: { ...OCS, ...sent.headers } });
}

/** A new folder of the owner. @returns its path as apps name it */
async function folder({ api, round }: Arena, name: string): Promise<string> {
  await api.post('files/createfolder', { path: '/ROOT/HOME', name: `${name} ${round}` });
  return `/My files/${name} ${round}`;
}

/** Apps made for Nextcloud: their sign-in, shares and uploads. */
export const APP_RACES: Readonly<Record<string, Race>> = {
  'a sign-in of an app, from the agreement to the end': async (arena) => {
    const before = await passwordsOf(arena);
    const { login, token } = await beginLogin(arena);
    const fields = await agreement(arena, login);
    // Three: for those who come late the sign-in has ended, and many wrong ones make everybody wait.
    const agreed = await together(() => agree(arena, fields), 3);
    const made = (await passwordsOf(arena)) - before;
    if (made !== 1) return `${made} app passwords after ${told(agreed)}`;
    const collected = await together(() => poll(arena, token));
    const wrong = expectTold(collected, '200: 1, 404: 19');
    if (wrong !== null) return `collected ${wrong}`;
    const authorization = basic(collected.find(({ status }) => status === 200)?.body);
    // Who comes late has a wrong password. The third one makes the next app wait.
    const ended = await together(() => signOut(arena, authorization), arena.round === 0 ? RUNNERS : 1);
    if (ended.filter(({ status }) => status === 200).length === 0) return `signed out ${told(ended)}`;
    if (ended.some(({ status }) => status >= 500)) return `signed out ${told(ended)}`;
    const after = await passwordsOf(arena);
    return after === before ? null : `${after - before} app passwords are left`;
  },

  'the link of a folder, made by many apps': async (arena) => {
    const path = await folder(arena, 'linked');
    const replies = await together(() => sharing(arena, 'POST', '', { path, shareType: '3' }));
    // The others are told that there is one.
    const wrong = expectTold(replies, '200: 1, 400: 19');
    if (wrong !== null) return wrong;
    const id = /<id>(\d+)</.exec(replies.find(({ status }) => status === 200)?.text ?? '')?.[1];
    const ended = await together(() => sharing(arena, 'DELETE', `/${id}`));
    return expectTold(ended, '200: 1, 404: 19');
  },

  'a share with one member, made by many apps': async (arena) => {
    const path = await folder(arena, 'shared by apps');
    const fields = { path, shareType: '0', shareWith: arena.people.withQuota.home, permissions: '1' };
    const replies = await together(() => sharing(arena, 'POST', '', fields));
    if (replies.some(({ status }) => status !== 200 && status !== 403)) return told(replies);
    const { text } = await sharing(arena, 'GET', `?path=${encodeURIComponent(path)}`);
    const shares = text.match(/<element>/g)?.length ?? 0;
    return shares === 1 ? null : `${shares} shares after ${told(replies)}`;
  },

  'an upload in parts, begun and completed many times': async (arena) => {
    const { api, installation, round } = arena;
    const transfer = `/remote.php/dav/uploads/ann/race-${round}`;
    const destination = `/remote.php/dav/files/ann/My%20files/joined%20${round}.txt`;
    const headers = { destination };
    const begun = await together(() => api.send('MKCOL', transfer, { headers }));
    const wrong = expectTold(begun, '201: 1, 405: 19');
    if (wrong !== null) return `begun ${wrong}`;
    await together((n) => api.send('PUT', `${transfer}/${n + 1}`, { headers, body: `part ${n}\n` }));
    const joined = await together(() => api.send('MOVE', `${transfer}/.file`, { headers }));
    // Who asks again gets the same reply for a while.
    if (joined.some(({ status }) => status !== 201)) return `completed ${told(joined)}`;
    const content = await readFile(join(installation.home, `joined ${round}.txt`), 'utf8');
    const whole = Array.from({ length: RUNNERS }, (_, n) => `part ${n}\n`).join('');
    if (content !== whole) return `the file has ${JSON.stringify(content.slice(0, 200))}`;
    const path = `/ROOT/HOME/joined ${round}.txt`;
    const { body } = await api.post('files/versions/list', { path });
    // The present one is among them.
    return body.data.versions.length === 1 ? null : `it has ${body.data.versions.length} versions`;
  },
};
