import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobProgress } from '../../dist/server/backup/job-progress.js';
import { type Restored, restoreBackup } from '../../dist/server/backup/restore/restore.js';
import { openLarder } from '../../dist/server/composition/larder.js';
import { parseConfig } from '../../dist/server/config/config.js';
import { systemClock } from '../../dist/server/lib/clock.js';
import { createLog } from '../../dist/server/lib/log/log.js';
import { noFailPoints } from '../../dist/server/lib/process/fail-points.js';
import type { Household } from '../support/households/household.ts';
import { ApiClient } from '../support/requests/api-client.ts';

export const PASSPHRASE = 'seven green bottles';

export interface Made {
  name: string;
  path: string;
  madeAt: string;
  keys: boolean;
  bytes: number;
  files: null | {
    count: number;
    bytes: number;
    linked: number;
    history: boolean;
    changed: number;
    leftOut: number;
    absent: number;
    notFollowed: number;
    homes: { id: string; username: string; state: string }[];
  };
  notCopied: { path: string; reason: string }[];
  notes: string[];
  removed: string[];
  heldBack: object[];
}

export const make = async (household: Household, wanted: object = {}) =>
  (await household.control('backup.make', wanted)) as unknown as Made;

export const namesIn = async (household: Household) => {
  const { backups } = (await household.control('backup.list')) as { backups: { name: string }[] };
  return backups.map(({ name }) => name);
};

/** What is in the place, finished or not. */
export const inPlace = async (household: Household) =>
  (await readdir(join(household.folder, '.larder', 'backups'))).filter((name) => name.startsWith('larder-')).sort();

export interface Line {
  path: string;
  folder?: true;
  sha256?: string;
  size?: number;
  mode?: number;
  linked?: true;
  changed?: true;
  leftOut?: string;
  absent?: true;
}

export async function linesOf(backup: string): Promise<Line[]> {
  const text = await readFile(join(backup, 'files.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

export async function scratchFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'larder-test-'));
}

export function restore(from: string, folder: string, more: object = {}): Promise<Restored> {
  const plain = { newAuthority: false, extraNames: [], homesTo: null, emptyHomes: false, historyFollows: false };
  return restoreBackup(
    { from, folder, ...plain, ...more },
    { job: new JobProgress({ what: 'restore' }), clock: systemClock, failPoints: noFailPoints },
  );
}

/** Serves a folder while the work is done. */
export async function whileServed<T>(
  folder: string,
  work: (server: {
    api: ApiClient;
    ca: string;
    control: (method: string, input?: unknown) => Promise<Record<string, unknown>>;
  }) => Promise<T>,
): Promise<T> {
  const flags = { folder, port: 0, httpPort: 0, controlPort: 0, host: '127.0.0.1', grace: 500 };
  const larder = await openLarder({
    config: parseConfig(flags, {}),
    log: createLog('silent', process.stderr),
    addresses: () => [],
  });
  try {
    const { port } = await larder.serve();
    const ca = larder.certificates.authority.pem;
    const control = async (method: string, input: unknown = {}) =>
      (await larder.dispatcher.dispatch(method, input)) as Record<string, unknown>;
    return await work({ api: new ApiClient({ port, ca }), ca, control });
  } finally {
    await larder.close();
  }
}

/** A client of the household's at another server. */
export async function signInAt(api: ApiClient, household: Household, username: string, password: string) {
  const { clientId: client_id, clientSecret: client_secret } = household;
  const reply = await api.token({
    grant_type: 'password',
    ...{ username, password, client_id, client_secret },
    scope: 'profile list upload download modify delete',
  });
  if (reply.status !== 200) throw new Error(`no token: ${JSON.stringify(reply.body)}`);
  return api.with(String(reply.body.access_token));
}

export async function remove(...folders: string[]): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
