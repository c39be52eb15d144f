import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Api } from './api.ts';
import { Control } from './control.ts';
import { runToEnd, type Scratch } from './scratch.ts';

const PROGRAM = fileURLToPath(new URL('../server/larder.cjs', import.meta.url));
const PORTS = ['--port', '0', '--http-port', '0', '--control-port', '0', '--host', '127.0.0.1'];
export const OWNER = { username: 'ann', password: 'correct horse battery' };
const SCOPES = 'list metadata upload download modify delete';

export interface Certificate {
  /** Files. */
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
}

/** The built server on an installation of its own, as anyone would start it. */
export class Larder {
  readonly #scratch: Scratch;
  readonly #client: { readonly clientId: string; readonly clientSecret: string };
  readonly folder: string;
  readonly home: string;
  #child: ChildProcess | null = null;
  #api: Api | null = null;
  #port = 0;
  #token = '';
  #printed: () => string = () => '';
  #control: Promise<Control> | null = null;

  private constructor(scratch: Scratch, folder: string, client: { clientId: string; clientSecret: string }) {
    this.#scratch = scratch;
    this.#client = client;
    this.folder = folder;
    this.home = join(folder, 'homes', OWNER.username);
  }

  /** Sets it up, starts it and signs in. */
  static async open(scratch: Scratch): Promise<Larder> {
    const folder = scratch.newFolder('larder');
    const larder = (args: readonly string[], input?: string) =>
      runToEnd(scratch, process.execPath, [PROGRAM, ...args, '--folder', folder], input);
    await larder(['setup', '--owner', OWNER.username, '--password-stdin', '--enable-api'], `${OWNER.password}\n`);
    const client = JSON.parse(await larder(['control', 'clients.add', '{"name":"Benchmark"}', '--json']));
    const opened = new Larder(scratch, folder, client);
    await opened.start();
    return opened;
  }

  get certificate(): Certificate {
    const file = (name: string) => join(this.folder, '.larder', 'tls', name);
    return { certificate: file('server.crt'), key: file('server.key'), authority: file('ca.crt') };
  }

  get authority(): string {
    return readFileSync(this.certificate.authority, 'utf8');
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the server does not run');
    return this.#child.pid;
  }

  get port(): number {
    return this.#port;
  }

  get api(): Api {
    if (this.#api === null) throw new Error('the server does not run');
    return this.#api;
  }

  /** Starts it and waits for its address. The first time it signs in, and the token is good for later starts too. */
  async start(): Promise<void> {
    const args = [PROGRAM, 'serve', '--folder', this.folder, ...PORTS];
    this.#child = this.#scratch.spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#printed = outputOf(this.#child);
    this.#control = null;
    this.#port = await portOf(this.#child, this.#printed);
    if (this.#token === '') this.#token = await this.#signIn();
    this.#api = new Api(this.#port, this.authority, this.#token);
  }

  async stop(): Promise<void> {
    this.#api?.close();
    this.#api = null;
    if (this.#child !== null) await this.#scratch.stop(this.#child);
    this.#child = null;
  }

  /** The owner's side of it. */
  control(): Promise<Control> {
    this.#control ??= Control.open(this.#printed());
    return this.#control;
  }

  /** A folder in the home, by its virtual path and its real one. */
  newFolder(name: string): { readonly path: string; readonly real: string } {
    const real = join(this.home, name);
    mkdirSync(real);
    return { path: `/ROOT/HOME/${name}`, real };
  }

  url(path: string): string {
    return `https://127.0.0.1:${this.#port}${path}`;
  }

  async #signIn(): Promise<string> {
    const api = new Api(this.#port, this.authority, '');
    const { clientId, clientSecret } = this.#client;
    const client = { client_id: clientId, client_secret: clientSecret };
    const reply = await api.signIn({ grant_type: 'password', ...OWNER, scope: SCOPES, ...client });
    api.close();
    if (reply.access_token === undefined) throw new Error(`no token: ${JSON.stringify(reply)}`);
    return reply.access_token;
  }
}

/** What a program has printed so far. */
function outputOf(child: ChildProcess): () => string {
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  return () => output;
}

/** Resolves as soon as the line with the address is there. */
function portOf(child: ChildProcess, printed: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const read = () => {
      const port = /https:\/\/localhost:(\d+)/.exec(printed())?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`the server did not start: ${printed()}`)));
  });
}
