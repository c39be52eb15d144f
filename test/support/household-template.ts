import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A registered client. */
export interface SetUp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The test processes inherit the environment of the process that prepares the run. */
const VARIABLE = 'LARDER_TEST_TEMPLATE';

/**
 * Prepares a folder with an owner, the API enabled and a client, once for all tests of a run, which copy it.
 * @returns removes it
 */
export async function prepareTemplate(): Promise<() => Promise<void>> {
  const base = await mkdtemp(join(tmpdir(), 'larder-template-'));
  process.env[VARIABLE] = base;
  // As in the test processes (vitest.config.ts).
  process.env.LARDER_CHEAP_PASSWORDS = '1';
  const { openHousehold } = await import('./household.ts');
  const household = await openHousehold({ fresh: true });
  const { clientId, clientSecret } = household;
  await writeFile(join(base, 'client.json'), JSON.stringify({ clientId, clientSecret }));
  await household.whileStopped(() => cp(household.folder, join(base, 'folder'), { recursive: true }));
  await household.close();
  return () => rm(base, { recursive: true, force: true });
}

/** @param folder new; a folder of Larder may be copied while nothing runs on it */
export async function copyTemplate(folder: string): Promise<SetUp> {
  const base = process.env[VARIABLE];
  if (base === undefined) throw new Error('the template is prepared by global-setup.ts');
  await cp(join(base, 'folder'), folder, { recursive: true });
  const { clientId, clientSecret } = JSON.parse(await readFile(join(base, 'client.json'), 'utf8'));
  return { clientId, clientSecret };
}
