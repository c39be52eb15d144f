import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pino from 'pino';
import { type Larder, type LarderOptions, openLarder } from '../../../dist/server/composition/larder.js';
import type { ConfigInput } from '../../../dist/server/config/config.js';
import { parseConfig } from '../../../dist/server/config/config.js';
import { DID_NOT_CLOSE } from '../../../dist/server/lib/async/closers.js';
import type { Clock } from '../../../dist/server/lib/clock.js';
import { createLog } from '../../../dist/server/lib/log/log.js';
import { lanAddresses } from '../../../dist/server/tls/lan-addresses.js';
import { ApiClient } from '../requests/api-client.ts';
import { copyTemplate, copyTemplateForProcess, type SetUp } from './household-template.ts';

/** A clock that stands still unless the test advances it. It starts at the real time, because files have real times. */
export class TestClock implements Clock {
  #now = Date.now();

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

export const OWNER = { username: 'ann', password: 'correct horse battery' };

export const ALL_SCOPES = 'profile email list metadata upload download modify delete weblink share admin';

export interface Household {
  readonly folder: string;
  readonly home: string;
  readonly clock: TestClock;
  readonly larder: Larder;
  readonly port: number;
  readonly controlPort: number;
  readonly ca: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The output of the log, for tests of what must not be logged. */
  readonly logged: () => string;
  /** Without a token. */
  readonly api: ApiClient;
  control(method: string, input?: unknown): Promise<Record<string, unknown>>;
  /** A client with a token of the owner. */
  signIn(scope?: string): Promise<ApiClient>;
  /** Stops the server and opens the folder again. */
  restart(changes?: Partial<ConfigInput>): Promise<void>;
  /** The same, with work in between, while no process uses the folder. */
  whileStopped(work: () => Promise<void>, changes?: Partial<ConfigInput>): Promise<void>;
  close(): Promise<void>;
}

export interface HouseholdOptions {
  /** An existing folder to make the household's folder in; by default the one for temporary files. */
  readonly parent?: string;
  readonly config?: Partial<ConfigInput>;
  /** Sets it up from scratch, for tests of that; otherwise it is a copy of the prepared folder. */
  readonly fresh?: boolean;
  readonly addresses?: () => readonly string[];
  /** The owner; with null there is no owner and no client yet. */
  readonly owner?: typeof OWNER | null;
  /** Starts the workers; by default with Node. */
  readonly spawnWorker?: LarderOptions['spawnWorker'];
  /** Where it is announced, if other machines could reach it. */
  readonly network?: LarderOptions['network'];
  /** Certificate authorities that everyone trusts; by default those of Node. */
  readonly publicAuthorities?: LarderOptions['publicAuthorities'];
  /** The physical disks below paths; by default those of the system. */
  readonly disksUnder?: LarderOptions['disksUnder'];
}

const NO_CLIENT: SetUp = { clientId: '', clientSecret: '' };

/** A household with an owner, the API enabled, and one client: the real server on its own folder and free ports. */
export async function openHousehold({
  parent = tmpdir(),
  config = {},
  fresh = false,
  addresses = () => [],
  owner = OWNER,
  spawnWorker,
  network,
  publicAuthorities,
  disksUnder,
}: HouseholdOptions = {}): Promise<Household> {
  const folder = await mkdtemp(join(parent, 'larder-test-'));
  const isCopy = !fresh && owner === OWNER;
  // With the addresses of this machine the certificate is the one of a server in a process of its own.
  const copy = addresses === lanAddresses ? copyTemplateForProcess : copyTemplate;
  const copied = isCopy ? await copy(folder) : null;
  const clock = new TestClock();
  let logged = '';
  const log = createLog('debug', { write: (line) => (logged += line) } as pino.DestinationStream);
  const open = async (changes: Partial<ConfigInput>) => {
    const flags = {
      folder,
      port: 0,
      httpPort: 0,
      controlPort: 0,
      host: '127.0.0.1',
      grace: 2_000,
      ...config,
      ...changes,
    };
    const opened = await openLarder({
      config: parseConfig(flags, {}),
      log,
      clock,
      addresses,
      ...(spawnWorker === undefined ? {} : { spawnWorker }),
      ...(network === undefined ? {} : { network }),
      ...(publicAuthorities === undefined ? {} : { publicAuthorities }),
      ...(disksUnder === undefined ? {} : { disksUnder }),
    });
    return { larder: opened, serving: await opened.serve() };
  };
  let { larder, serving } = await open({});
  const control = async (method: string, input: unknown = {}) =>
    (await larder.dispatcher.dispatch(method, input)) as Record<string, unknown>;

  const addClient = async () => {
    const added = await control('clients.add', { name: 'Tests', redirectUris: ['https://app.example/callback'] });
    return added as { clientId: string; clientSecret: string };
  };

  const household: Household = await (async () => {
    if (owner !== null && !isCopy) {
      await control('setup', { owner: owner.username, password: owner.password, enableApi: true });
    }
    const { clientId, clientSecret } = copied ?? (owner === null ? NO_CLIENT : await addClient());
    const basePath = typeof config.basePath === 'string' ? config.basePath : '';
    const newApi = (token?: string) =>
      new ApiClient({
        port: serving.port,
        ca: larder.certificates.authority.pem,
        basePath,
        ...(token ? { token } : {}),
      });
    return {
      folder,
      home: join(folder, 'homes', (owner ?? OWNER).username),
      clock,
      get larder() {
        return larder;
      },
      get port() {
        return serving.port;
      },
      get controlPort() {
        return serving.controlPort;
      },
      ca: larder.certificates.authority.pem,
      clientId,
      clientSecret,
      logged: () => logged,
      get api() {
        return newApi();
      },
      control,
      async signIn(scope = ALL_SCOPES) {
        const reply = await newApi().token({
          grant_type: 'password',
          ...owner,
          scope,
          client_id: clientId,
          client_secret: clientSecret,
        });
        if (reply.status !== 200) throw new Error(`no token: ${JSON.stringify(reply.body)}`);
        return newApi(String(reply.body.access_token));
      },
      restart: (changes) => household.whileStopped(async () => {}, changes),
      async whileStopped(work, changes = {}) {
        await larder.close();
        try {
          await work();
        } finally {
          ({ larder, serving } = await open(changes));
        }
      },
      async close() {
        await larder.close();
        // A part that never ends would otherwise only slow the shutdown down.
        const late = logged.split('\n').find((line) => line.includes(DID_NOT_CLOSE));
        if (late !== undefined) throw new Error(late);
        await rm(folder, { recursive: true, force: true });
      },
    };
  })();
  return household;
}
