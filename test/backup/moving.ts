import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Household } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { linesOf, type Made, make } from './support.ts';

export const FOLDERS = 12;
export const FILES = 300;

/** Moves files for as long as `isGoing` says, each to the fifth folder after its own. */
type Mover = (isGoing: () => boolean) => Promise<void>;

/** Through the API, which the catalogue knows at once: several at a time. */
export function apiMover(api: ApiClient, names: readonly string[]): Mover {
  const places = names.map((_, index) => index % FOLDERS);
  const moveOne = async (which: number) => {
    const from = places[which] ?? 0;
    const to = (from + 5) % FOLDERS;
    const reply = await api.post('files/move', {
      path: `/ROOT/HOME/f${from}/${names[which]}`,
      moveTo: `/ROOT/HOME/f${to}`,
    });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    places[which] = to;
  };
  return async (isGoing) => {
    for (let turn = 0; isGoing(); turn += 1)
      await Promise.all(Array.from({ length: 8 }, (_, lane) => moveOne((turn * 8 + lane) % names.length)));
  };
}

/** By another program on the disk, which Larder learns of later. */
export function diskMover(home: string, names: readonly string[]): Mover {
  const places = names.map((_, index) => index % FOLDERS);
  return async (isGoing) => {
    for (let turn = 0; isGoing(); turn += 1) {
      const which = (turn * 7) % names.length;
      const [from, to] = [places[which] ?? 0, ((places[which] ?? 0) + 5) % FOLDERS];
      await rename(join(home, `f${from}`, names[which] ?? ''), join(home, `f${to}`, names[which] ?? ''));
      places[which] = to;
      await nextTurn();
    }
  };
}

export async function fillFolders(home: string): Promise<string[]> {
  const names = Array.from({ length: FILES }, (_, index) => `file-${index}.bin`);
  for (let index = 0; index < FOLDERS; index += 1) await mkdir(join(home, `f${index}`), { recursive: true });
  for (const [index, name] of names.entries())
    await writeFile(join(home, `f${index % FOLDERS}`, name), `${name}\n${'x'.repeat(20_000)}`);
  return names;
}

/** Makes a backup while files are moved. */
export async function backupWhileMoving(household: Household, mover: Mover): Promise<Made> {
  let isGoing = true;
  const moving = mover(() => isGoing);
  try {
    return await make(household, { files: true });
  } finally {
    isGoing = false;
    await moving;
  }
}

/** How often each file is in the backup, by its name. */
export async function timesIn(made: Made, names: readonly string[]): Promise<Map<string, number>> {
  const times = new Map(names.map((name) => [name, 0]));
  for (const { path, sha256 } of await linesOf(made.path)) {
    const name = path.split('/').at(-1) ?? '';
    if (sha256 !== undefined && times.has(name)) times.set(name, (times.get(name) ?? 0) + 1);
  }
  return times;
}
