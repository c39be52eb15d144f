import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../dist/server/database/database.js';

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
  await prepareDatabase(base);
  await prepareCertificate(base);
  return () => rm(base, { recursive: true, force: true });
}

async function prepareDatabase(base: string): Promise<void> {
  const { openDatabase } = await import('../../../dist/server/database/database.js');
  await (await openDatabase(join(base, 'empty.sqlite'), join(base, 'unused'))).close();
}

/** Like `openDatabase`. A new one is a copy of one with the present schema and no rows: migrating takes ten times as long. */
export async function openMigrated(file: string, backups: string): Promise<Database> {
  const { openDatabase } = await import('../../../dist/server/database/database.js');
  if (!existsSync(file)) await copyFile(join(template(), 'empty.sqlite'), file);
  return openDatabase(file, backups);
}

/**
 * A server in a process of its own has the addresses of this machine in its certificate. Each first start would issue it
 * again, which takes as long as the rest of the start.
 */
async function prepareCertificate(base: string): Promise<void> {
  const { startServer } = await import('./server-process.ts');
  const folder = join(base, 'served');
  await cp(join(base, 'folder'), folder, { recursive: true });
  const { child } = await startServer(folder);
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Like `copyTemplate`, for a server in a process of its own. */
export async function copyTemplateForProcess(folder: string): Promise<SetUp> {
  const setUp = await copyTemplate(folder);
  const tls = join('.larder', 'tls');
  for (const name of ['server.crt', 'server.key']) {
    await copyFile(join(template(), 'served', tls, name), join(folder, tls, name));
  }
  return setUp;
}

/** @param folder new; a folder of Larder may be copied while nothing runs on it */
export async function copyTemplate(folder: string): Promise<SetUp> {
  await cp(join(template(), 'folder'), folder, { recursive: true });
  const { clientId, clientSecret } = JSON.parse(await readFile(join(template(), 'client.json'), 'utf8'));
  return { clientId, clientSecret };
}

function template(): string {
  const base = process.env[VARIABLE];
  if (base === undefined) throw new Error('the template is prepared by global-setup.ts');
  return base;
}
