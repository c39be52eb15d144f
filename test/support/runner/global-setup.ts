import { statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { prepareTemplate } from '../households/household-template.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const built = (path: string) => fileURLToPath(new URL(`../../../dist/${path}`, import.meta.url));

/** The tests run the built server. @returns removes what they share */
export default async function setup(): Promise<() => Promise<void>> {
  const compiled = modifiedAt('server.tsbuildinfo');
  const bundled = modifiedAt('bundle/cli.js');
  if (compiled === null) throw new Error('dist/ is missing: run `npm run build` first, or `npm test`, which does.');
  // After `tsc -b` alone, started programs would be older than imported modules.
  if (bundled === null || bundled < compiled) {
    await build({
      configFile: fileURLToPath(new URL('../../../server/vite.config.ts', import.meta.url)),
      logLevel: 'warn',
    });
  }
  // Without it the server ignores settings for deliberate failures. The next build removes it.
  writeFileSync(built('test-build'), '');
  const removeFolder = await makeTemporaryFolder();
  const removeTemplate = await prepareTemplate();
  return async () => {
    await removeTemplate();
    await removeFolder();
  };
}

/** In milliseconds since 1970; null when it does not exist. */
function modifiedAt(path: string): number | null {
  return statSync(built(path), { throwIfNoEntry: false })?.mtimeMs ?? null;
}
