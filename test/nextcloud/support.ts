import { type ChildProcess, execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, OWNER } from '../support/households/household.ts';
import type { Reply } from '../support/requests/api-client.ts';
import { DavClient } from '../support/webdav/dav-client.ts';
import { clientCommand } from './client-command.ts';

const run = promisify(execFile);

/** A request of an app, without sign-in unless headers say otherwise. */
export function send(
  { api }: Pick<Household, 'api'>,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  return api.send(method, path, {
    headers: { authorization: 'None', ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

export interface BegunLogin {
  readonly login: string;
  readonly token: string;
  readonly endpoint: string;
}

/** An app begins to sign in. @param device its user agent */
export async function beginLogin(household: Pick<Household, 'api'>, device = 'Study PC (Desktop Client - Linux)') {
  const { status, body } = await send(household, 'POST', '/index.php/login/v2', { headers: { 'user-agent': device } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { login: body.login, token: body.poll.token, endpoint: body.poll.endpoint } as BegunLogin;
}

/** The app asks whether someone has agreed. */
export function poll(household: Pick<Household, 'api'>, token: string): Promise<Reply> {
  return send(household, 'POST', '/index.php/login/v2/poll', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  });
}

/** Someone signed in agrees in a browser. @returns the status of the reply */
export async function agree(visitor: WebVisitor, login: string, fields = {}): Promise<number> {
  const page = await visitor.get(login);
  if (page.status !== 200) return page.status;
  const form = { form_token: page.field('form_token'), flow: page.field('flow'), label: 'Study PC' };
  return (await visitor.post('/account/connect', { ...form, password: OWNER.password, ...fields })).status;
}

/** A browser in which someone has signed in, by default the owner. */
export async function signedIn(household: Household, who = OWNER): Promise<WebVisitor> {
  const visitor = new WebVisitor(household);
  const page = await visitor.get('/account/');
  await visitor.post('/account/sign-in', {
    ...{ form_token: page.field('form_token'), next: page.field('next') },
    ...who,
  });
  return visitor;
}

/** An app that someone has connected, by default the owner, at the address of files. */
export async function connectedApp(household: Household, fields = {}, who = OWNER): Promise<DavClient> {
  const visitor = await signedIn(household, who);
  const { login, token } = await beginLogin(household);
  await agree(visitor, login, { password: who.password, ...fields });
  const { body } = await poll(household, token);
  return new DavClient(household.api, body.loginName, body.appPassword, `/remote.php/dav/files/${body.loginName}`);
}

/** Synchronizes a folder with the desktop client. @param more variables of its environment @returns what it prints */
export async function synchronize(...call: Parameters<typeof runClient>): Promise<string> {
  const { hasSucceeded, said } = await runClient(...call);
  if (!hasSucceeded) throw new Error(`the client failed: ${said.slice(-2_000)}`);
  return said;
}

/**
 * The same, for a folder with items that the client cannot synchronize: then it has not succeeded.
 * @param watch gets the process of the client
 */
export async function runClient(
  household: Pick<Household, 'port' | 'ca'>,
  app: DavClient,
  folder: string,
  home: string,
  more: Readonly<Record<string, string>> = {},
  watch: (client: ChildProcess) => void = () => undefined,
): Promise<{ readonly hasSucceeded: boolean; readonly said: string }> {
  const account = ['--user', app.username, '--password', app.password];
  const url = `https://localhost:${household.port}`;
  const [program, args] = await clientCommand(household.ca, home, [...account, '--non-interactive', '-h', folder, url]);
  const places = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), QT_QPA_PLATFORM: 'offscreen' };
  const env = { ...process.env, ...places, ...more };
  const running = run(program, args, { env, maxBuffer: 256 * 1024 * 1024 });
  watch(running.child);
  return running.then(
    ({ stdout, stderr }) => ({ hasSucceeded: true, said: stdout + stderr }),
    ({ stdout, stderr }) => ({ hasSucceeded: false, said: `${stdout}${stderr}` }),
  );
}

/** The files of a folder by path, with their contents; null for folders. Leaves out what the client keeps for itself. */
export async function treeOf(folder: string): Promise<Record<string, string | null>> {
  const tree: Record<string, string | null> = {};
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (/^\.(?:sync_|_sync_|owncloudsync|nextcloudsync|larder)/.test(name)) continue;
    tree[name] = entry.isDirectory() ? null : await readFile(path, 'utf8');
  }
  return tree;
}

/** The requests in the output of the log. */
export function requestsIn(logged: string): { method: string; path: string; status: number }[] {
  return logged
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line));
}
