import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { openControl } from '../../../dist/server/cli/control-client.js';
import { parseConfig } from '../../../dist/server/config/config.js';
import { ApiClient } from '../requests/api-client.ts';
import { ALL_SCOPES, OWNER } from './household.ts';
import { type SetUp, setUpFolder } from './set-up-folder.ts';

const LARDER = fileURLToPath(new URL('../../../dist/server/larder.cjs', import.meta.url));

/**
 * Serves a folder with a separate process, on free ports.
 * @param options `failPoints` as in `LARDER_FAIL_POINTS`; `under` a command with arguments that runs the server, such as a
 * tracer; `program` another build of `larder` than the latest; `temporary` a folder for its temporary files
 */
export async function startServer(
  folder: string,
  {
    failPoints,
    under = [],
    program = LARDER,
    temporary,
  }: { failPoints?: string; under?: readonly string[]; program?: string; temporary?: string } = {},
): Promise<{ child: ChildProcess; port: number }> {
  const ports = ['--port', '0', '--http-port', '0', '--control-port', '0', '--host', '127.0.0.1'];
  const [command = '', ...args] = [...under, process.execPath, program, 'serve', '--folder', folder, ...ports];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(failPoints === undefined ? {} : { LARDER_FAIL_POINTS: failPoints }),
      ...(temporary === undefined ? {} : { TMPDIR: temporary }),
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk;
      const found = /https:\/\/localhost:(\d+)/.exec(output)?.[1];
      if (found !== undefined && output.includes('Panel:')) resolve(Number(found));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`the server did not start: ${output}`)));
  });
  return { child, port };
}

/** An installation served by a separate process, which a test may kill. */
export class Installation {
  readonly folder: string;
  readonly home: string;
  readonly points: string;
  readonly #base: string;
  /** A killed server leaves its files there, and SQLite does where the system refuses to remove them. */
  readonly #temporary: string | null;
  #child: ChildProcess | null = null;
  #client: SetUp | null = null;
  #token: string | null = null;
  #api: ApiClient | null = null;

  private constructor(base: string, temporary: string | null) {
    this.#base = base;
    this.#temporary = temporary;
    this.folder = join(base, 'larder');
    this.home = join(this.folder, 'homes', OWNER.username);
    this.points = base;
  }

  /**
   * @param disk folder of another disk, which may be full or read-only; by default the system's temporary one
   * @param temporary folder for the server's temporary files; by default the system's with `disk`, one of its own without
   */
  static async create(disk?: string, temporary?: string): Promise<Installation> {
    const base = await mkdtemp(join(disk ?? tmpdir(), 'larder-fault-'));
    const own = disk === undefined ? join(base, 'tmp') : null;
    if (own !== null) await mkdir(own);
    const installation = new Installation(base, temporary ?? own);
    installation.#client = await setUpFolder(installation.folder);
    return installation;
  }

  /** @param failPoints `point=action;…` @param under like that of {@link startServer} */
  async start(failPoints = '', under: readonly string[] = []): Promise<ApiClient> {
    const { child, port } = await startServer(this.folder, {
      under,
      ...(this.#temporary === null ? {} : { temporary: this.#temporary }),
      ...(failPoints === '' ? {} : { failPoints: `${this.points};${failPoints}` }),
    });
    this.#child = child;
    const ca = await this.ca();
    // A token of an earlier start is still valid.
    this.#token ??= await this.#signIn(new ApiClient({ port, ca }));
    this.#api = new ApiClient({ port, ca, token: this.#token });
    return this.#api;
  }

  /** The certificate of its authority, in PEM. */
  ca(): Promise<string> {
    return readFile(join(this.folder, '.larder', 'tls', 'ca.crt'), 'utf8');
  }

  /** Signs in again at the next start, because the earlier token is no longer valid. */
  forgetToken(): void {
    this.#token = null;
  }

  /** A new token of the running server, by default of an account without administrative permissions. */
  async token(username: string, password: string, scope = ALL_SCOPES.replace(' admin', '')): Promise<string> {
    if (this.#api === null) throw new Error('no server runs');
    return this.#signIn(this.#api, { username, password }, scope);
  }

  async #signIn(api: ApiClient, who = OWNER, scope = ALL_SCOPES): Promise<string> {
    const { clientId: client_id = '', clientSecret: client_secret = '' } = this.#client ?? {};
    const form = { grant_type: 'password', ...who, scope, client_id, client_secret };
    const { status, body } = await api.token(form);
    if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`);
    return String(body.access_token);
  }

  /** The process of the running server. */
  get child(): ChildProcess {
    if (this.#child === null) throw new Error('no server runs');
    return this.#child;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('no server runs');
    return this.#child.pid;
  }

  /** The server's error output, from now on. */
  get stderr(): Readable {
    if (this.#child === null || this.#child.stderr === null) throw new Error('no server runs');
    return this.#child.stderr;
  }

  hasReached(point: string): boolean {
    return existsSync(join(this.points, `${point}.reached`));
  }

  /** Kills it like a power cut, if it has not ended already. */
  async kill(): Promise<void> {
    if (this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
    this.#child = null;
  }

  /** Stops it in an orderly way. */
  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM');
    await this.died();
  }

  async died(): Promise<void> {
    if (this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null) {
      await once(this.#child, 'exit');
    }
    this.#child = null;
  }

  /** The reply of the running server to `larder doctor`. */
  doctor(): Promise<{ ok: boolean; problems: string[]; notes: string[] }> {
    return this.control('doctor', { repair: false }) as never;
  }

  /** Calls a control method of the running server. */
  async control(method: string, input: object = {}): Promise<Record<string, unknown>> {
    const control = await openControl({ config: parseConfig({ folder: this.folder }, {}) });
    try {
      return (await control.invoke(method as 'doctor', input)) as Record<string, unknown>;
    } finally {
      await control.close();
    }
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#base, { recursive: true, force: true });
  }
}
