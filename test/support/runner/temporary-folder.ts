import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The test processes inherit the environment of the process that prepares the run. */
const VARIABLE = 'LARDER_TEST_FOLDER';

/** Makes the folder for everything that the tests of a run store. @returns removes it */
export async function makeTemporaryFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-tests-'));
  process.env[VARIABLE] = folder;
  // A browser that ends with its process may still write into its profile.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20 });
}

/** For what outlives a file of tests, such as the profile of a browser; a file's own belongs into the system's `tmpdir()`. */
export function temporaryFolder(): string {
  const folder = process.env[VARIABLE];
  if (folder === undefined) throw new Error('the temporary folder is made by global-setup.ts');
  return folder;
}
