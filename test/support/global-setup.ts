import { statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { prepareTemplate } from './household-template.ts';

const built = (path: string) => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

/** The tests run the built server, as it ships. @returns what removes what they share */
export default async function setup(): Promise<() => Promise<void>> {
  const compiled = modifiedAt('server.tsbuildinfo');
  const bundled = modifiedAt('bundle/cli.js');
  if (compiled === null) throw new Error('dist/ is missing: run `npm run build` first, or `npm test`, which does.');
  // After `tsc -b` alone, programs that tests start would be older than the modules that tests import.
  if (bundled === null || bundled < compiled) {
    await build({
      configFile: fileURLToPath(new URL('../../server/vite.config.ts', import.meta.url)),
      logLevel: 'warn',
    });
  }
  // Without it the server ignores what makes it fail on purpose. The next build removes it.
  writeFileSync(built('test-build'), '');
  return prepareTemplate();
}

/** In milliseconds since 1970; null when it is not there. */
function modifiedAt(path: string): number | null {
  return statSync(built(path), { throwIfNoEntry: false })?.mtimeMs ?? null;
}
