import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { temporaryFolder } from '../runner/temporary-folder.ts';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);

const INSTALLED = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const PACKAGE = '@sparticuz/chromium';

const HOW_TO_GET_ONE = `There is no browser for the tests. Do one of these:
  - install Chromium or Google Chrome so that it is in the PATH
  - set CHROMIUM_PATH to the executable of one
  - on Linux: npm install, without --omit=optional, so that ${PACKAGE} is there`;

/** Allows connections to this machine only: every other name resolves to nothing. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--font-render-hinting=none',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
];

/**
 * Every household has a certificate authority of its own, which the browser does not trust. A context's `ignoreHTTPSErrors`
 * restarts each request after the handshake fails; with many connections at once Chromium sometimes gives up
 * (`ERR_TOO_MANY_RETRIES`). The switch decides before the handshake, and the browser caches as it does for trusted servers.
 */
const IGNORE_CERTIFICATES = '--ignore-certificate-errors';

let shared: Promise<Browser> | null = null;

/**
 * A real headless browser. Tests that need one fail without it, so they never pass by not running. All test files of a process
 * share the browser, which ends with the process: closing it closes its own contexts.
 */
export async function launchBrowser(): Promise<Browser> {
  if (shared !== null && !(await shared).isConnected()) shared = null;
  shared ??= launch();
  const browser = await shared;
  const contexts = new Set<BrowserContext>();
  const newContext: Browser['newContext'] = async (options) => {
    // A page that is shown from a worker's cache, or loads through it, is for the tests that are about that.
    const context = await browser.newContext({ serviceWorkers: 'block', ...options });
    contexts.add(context);
    context.once('close', () => contexts.delete(context));
    return context;
  };
  const own: Partial<Browser> = {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    contexts: () => [...contexts],
    close: async () => {
      await Promise.all([...contexts].map((context) => context.close()));
    },
  };
  return new Proxy(browser, {
    get(target, name) {
      const value: unknown = Reflect.get(Object.hasOwn(own, name) ? own : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * A browser of the file's own that checks certificates, as people's browsers do. The file closes it.
 * @param more further arguments of the command line
 */
export function launchCheckingBrowser(more: readonly string[]): Promise<Browser> {
  return launch([...BROWSER_ARGS, ...more]);
}

async function launch(args = [...BROWSER_ARGS, IGNORE_CERTIFICATES]): Promise<Browser> {
  const { executablePath, libraries } = await findBrowser();
  const start = (env: Record<string, string>) => chromium.launch({ executablePath, args, env });
  // The browser runs for several files of tests, so its profile is not where each of them leaves nothing.
  const own = process.env.TMPDIR;
  process.env.TMPDIR = temporaryFolder();
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
  try {
    return await start(env);
  } catch (error) {
    // The Chromium that comes with the tests crashes about once in a hundred starts.
    if (/signal=SIGSEGV/.test(String(error))) return await start(env);
    if (libraries === undefined || !/error while loading shared libraries/.test(String(error))) throw error;
    return await start({ ...env, LD_LIBRARY_PATH: [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter) });
  } finally {
    process.env.TMPDIR = own;
  }
}

export interface Found {
  readonly executablePath: string;
  /** Libraries that a minimal system lacks, if we provide some. */
  readonly libraries?: string;
}

/** Finds a browser for the tests, for those that start it themselves. */
export async function findBrowser(): Promise<Found> {
  const { CHROMIUM_PATH, PATH } = process.env;
  if (CHROMIUM_PATH !== undefined) {
    if (existsSync(CHROMIUM_PATH)) return { executablePath: CHROMIUM_PATH };
    throw new Error(`CHROMIUM_PATH leads nowhere: ${CHROMIUM_PATH}`);
  }
  const folders = (PATH ?? '').split(delimiter);
  const installed = INSTALLED.flatMap((name) =>
    /[\\/]/.test(name) ? [name] : folders.map((folder) => join(folder, name)),
  ).find((path) => existsSync(path));
  if (installed !== undefined) return { executablePath: installed };
  const unpacked = process.platform === 'linux' && process.arch === 'x64' ? await unpackPackage() : null;
  if (unpacked === null) throw new Error(HOW_TO_GET_ONE);
  return unpacked;
}

const UNPACK = `import { inflate } from '${PACKAGE}';
await Promise.all(['chromium.br', 'al2023.tar.br'].map((file) => inflate(process.argv[1] + '/' + file)));`;

/**
 * The package extracts into the temporary folder without synchronization. Here it gets a separate folder, which is moved into
 * place in one step when it is complete.
 */
async function unpackPackage(): Promise<Found | null> {
  const entry = resolvePackage();
  if (entry === null) return null;
  const bin = join(dirname(entry), '..', '..', 'bin');
  const { version } = createRequire(entry)('../../package.json') as { version: string };
  // Beside the package, so it is removed together with it, and nothing is left in the temporary folder.
  const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
  await mkdir(cache, { recursive: true });
  const place = join(cache, `larder-chromium-${version}`);
  if (!existsSync(place)) {
    const own = await mkdtemp(`${place}-`);
    try {
      const options = { cwd: dirname(fileURLToPath(import.meta.url)), env: { ...process.env, TMPDIR: own } };
      await run(process.execPath, ['--input-type=module', '-e', UNPACK, bin], options);
      await rename(own, place);
    } catch (error) {
      await rm(own, { recursive: true, force: true });
      if (!existsSync(place)) throw error;
    }
  }
  return { executablePath: join(place, 'chromium'), libraries: join(place, 'al2023', 'lib') };
}

function resolvePackage(): string | null {
  try {
    return resolve(PACKAGE);
  } catch {
    return null;
  }
}
