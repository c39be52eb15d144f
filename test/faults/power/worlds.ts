import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Household } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';

/** Where one run of a scenario happens: a folder of its own in the home. */
export interface World {
  readonly household: Household;
  readonly real: string;
  readonly virtual: string;
}

/** What must be there when something fails at a point: everything as it was, or all of the change. */
export type Outcome = 'before' | 'after';

export interface Scenario {
  readonly name: string;
  readonly settings?: Record<string, number>;
  prepare(world: World, api: ApiClient): Promise<unknown>;
  run(world: World, api: ApiClient): Promise<Reply>;
  readonly points: Readonly<Record<string, Outcome>>;
  /** An upload that can be continued when it failed. */
  readonly continued?: true;
}

export const put = (api: ApiClient, { virtual }: World, name: string, content: string) =>
  api.put({ path: `${virtual}/${name}` }, content);

export async function threeContents(world: World, api: ApiClient): Promise<void> {
  for (const content of ['one', 'two!', 'three']) await put(api, world, 'doc.txt', content);
}

export async function twoFiles(world: World, api: ApiClient): Promise<void> {
  await mkdir(join(world.real, 'folder'));
  for (const content of ['old one', 'old two']) await put(api, world, 'folder/doc.txt', content);
  await api.post('files/label', { path: `${world.virtual}/folder/doc.txt`, label: 'of the folder|#ff0000' });
  for (const content of ['moving one', 'moving two']) await put(api, world, 'doc.txt', content);
}

export async function tree({ real }: World): Promise<void> {
  await mkdir(join(real, 'tree', 'deep', 'empty'), { recursive: true });
  await mkdir(join(real, 'to'));
  for (let index = 0; index < 12; index += 1) await writeFile(join(real, 'tree', `${index}.txt`), `leaf ${index}`);
  await writeFile(join(real, 'tree', 'deep', 'leaf.txt'), 'deep leaf');
}

export const OVERWRITE = {
  'storage.publish.chosen': 'before',
  'storage.publish.kept-old': 'before',
  'storage.publish.named': 'after',
} as const;
export const MOVE_OVER = {
  'storage.move.chosen': 'before',
  'storage.move.kept-old': 'before',
  'storage.move.named': 'after',
} as const;
