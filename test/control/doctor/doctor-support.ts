import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { openLarder } from '../../../dist/server/composition/larder.js';
import { parseConfig } from '../../../dist/server/config/config.js';
import { Connection } from '../../../dist/server/database/connection.js';
import { createLog } from '../../../dist/server/lib/log/log.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { like } from '../../support/server-texts.ts';

export interface Report {
  ok: boolean;
  problems: string[];
  notes: string[];
  repaired?: string[];
}

export let household: Household;
export let api: ApiClient;

/** A fresh household for every test of the file. */
export function patients(): void {
  beforeEach(async () => {
    household = await openHousehold();
    api = await household.signIn();
  });
  afterEach(() => household.close());
}

export const at = (...names: string[]) => join(household.home, ...names);
export const area = (...names: string[]) => join(household.folder, '.larder', ...names);
export const examine = async (input = {}) => (await household.control('doctor', input)) as unknown as Report;
export const repair = async () => (await examine({ repair: true })).repaired ?? [];
export const put = async (path: string, content: string) =>
  expect((await api.put({ path: `/ROOT/HOME/${path}` }, content)).status).toBeLessThan(300);
export const uuidOf = async (folder: string, name: string) => {
  const { body } = await api.get('files/browse', { path: `/ROOT/HOME${folder}`, 'details[]': ['uuid'] });
  return body.data.files.find((file: { filename: string }) => file.filename === name)?.uuid;
};

/**
 * Opens the folder without serving it: nobody else keeps the catalogue in line then, so that what differs stays so. What
 * the doctor says is told by the function that `work` is given.
 */
export async function whileNotServed(
  work: (examine: (input?: object) => Promise<Report>) => Promise<unknown>,
): Promise<void> {
  await household.whileStopped(async () => {
    const config = parseConfig(
      { folder: household.folder, port: 0, httpPort: 0, controlPort: 0, host: '127.0.0.1' },
      {},
    );
    const larder = await openLarder({ config, log: createLog('silent', process.stderr), clock: household.clock });
    try {
      await work(async (input = {}) => (await larder.dispatcher.dispatch('doctor', input)) as Report);
    } finally {
      await larder.close();
    }
  });
}

/** The free space is always told; nothing else is of a healthy household. */
export async function expectHealthy() {
  expect(await examine()).toEqual({ ok: true, problems: [], notes: [expect.stringMatching(like('api.doctor.space'))] });
}

/** Straight into the file, as another program would. */
export async function sql(statement: string, params: (string | number)[] = []) {
  const connection = await Connection.open(area('larder.sqlite'));
  try {
    await connection.exec('PRAGMA foreign_keys=OFF; PRAGMA busy_timeout=5000');
    await connection.run(statement, params);
  } finally {
    await connection.close();
  }
}
