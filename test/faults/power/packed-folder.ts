import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ALL_SCOPES, OWNER } from '../../support/households/household.ts';
import { startServer } from '../../support/households/server-process.ts';
import { ApiClient } from '../../support/requests/api-client.ts';

/** A data folder that an earlier version has filled (`test/fixtures/data-folder/make.sh`), served by the present one. */
export class PackedFolder {
  readonly folder: string;
  readonly #base: string;
  #server: Awaited<ReturnType<typeof startServer>> | null = null;
  #api: ApiClient | null = null;

  private constructor(base: string) {
    this.#base = base;
    this.folder = join(base, 'larder-data');
  }

  /** @param name of the packed folder */
  static async open(name: string): Promise<PackedFolder> {
    const packed = fileURLToPath(new URL(`../../fixtures/data-folder/${name}`, import.meta.url));
    const opened = new PackedFolder(await mkdtemp(join(tmpdir(), 'larder-previous-')));
    await promisify(execFile)('tar', ['-xzf', packed, '-C', opened.#base]);
    await opened.start();
    return opened;
  }

  async start(): Promise<void> {
    this.#server = await startServer(this.folder);
    const ca = await this.text('.larder/tls/ca.crt');
    this.#api = new ApiClient({ port: this.#server.port, ca });
  }

  async stop(): Promise<void> {
    const child = this.#server?.child;
    this.#server = null;
    if (child === undefined) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  /** A client without a token. */
  get api(): ApiClient {
    if (this.#api === null) throw new Error('the server has not been started');
    return this.#api;
  }

  /** A file below the folder. */
  async text(path: string): Promise<string> {
    return (await readFile(join(this.folder, path), 'utf8')).trim();
  }

  async signIn(username: string): Promise<ApiClient> {
    const { clientId: client_id, clientSecret: client_secret } = JSON.parse(await this.text('client.json'));
    const scope = username === OWNER.username ? ALL_SCOPES : ALL_SCOPES.replace(' admin', '');
    const grant = { grant_type: 'password', ...OWNER, username, scope, client_id, client_secret };
    const { body } = await this.api.token(grant);
    return this.api.with(String(body.access_token));
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#base, { recursive: true, force: true });
  }
}
