import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where the tests unpack a browser on systems without one (`test/support/browser/browser.ts`). */
const UNPACKED = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** A browser without a window that accepts the household's certificate. @throws Error if there is none */
export function openBrowser(): Promise<Browser> {
  const { executablePath, libraries } = findBrowser();
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
  const paths = [libraries, process.env.LD_LIBRARY_PATH].filter((path) => path !== undefined);
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--ignore-certificate-errors'],
    env: libraries === undefined ? env : { ...env, LD_LIBRARY_PATH: paths.join(delimiter) },
  });
}

function findBrowser(): { readonly executablePath: string; readonly libraries?: string } {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH !== undefined) return { executablePath: CHROMIUM_PATH };
  const installed = PATH.split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  if (installed !== undefined) return { executablePath: installed };
  const cached = existsSync(UNPACKED) ? readdirSync(UNPACKED) : [];
  const own = cached.find((name) => /^larder-chromium-[\d.]+$/.test(name));
  if (own === undefined)
    throw new Error('no Chromium: install one, set CHROMIUM_PATH, or run a test that uses a browser');
  const folder = join(UNPACKED, own);
  return { executablePath: join(folder, 'chromium'), libraries: join(folder, 'al2023', 'lib') };
}
