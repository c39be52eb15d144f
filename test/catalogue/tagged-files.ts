import { join } from 'node:path';
import { expect } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { itemsIn } from '../support/households/items-in.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';

/** A household that hashes at once, and requests for its files. Where no file is named, the one called `name` is meant. */
export class TaggedFiles {
  household!: Household;
  api!: ApiClient;
  name = '';
  #count = 0;

  /** @param parent of the household's folder */
  async open(parent?: string): Promise<void> {
    const config = { hashDelay: 0.1, hashRate: 1_000 };
    this.household = await openHousehold(parent === undefined ? { config } : { config, parent });
    this.api = await this.household.signIn();
  }

  next = (): number => ++this.#count;
  at = (file = this.name): string => join(this.household.home, file);
  path = (file = this.name): string => `/ROOT/HOME/${file}`;

  info = async (file = this.name) =>
    (await this.api.get('files/info', { path: this.path(file), details: ['etag', 'sha256'] })).body.data;
  tagOf = async (file = this.name): Promise<string> => (await this.info(file)).etag;

  download = (headers: Record<string, string> = {}, file = this.name): Promise<Reply> =>
    this.api.send('GET', `/api.php/files/download?path=${encodeURIComponent(this.path(file))}`, { headers });
  upload = (headers: Record<string, string>, content: string, file = this.name): Promise<Reply> =>
    this.api.send('PUT', `/api.php/files/upload?path=${encodeURIComponent(this.path(file))}`, {
      headers,
      body: content,
    });

  /** Waits until the server knows that the file has the content of a tag. */
  proven = async (tag: string, file = this.name): Promise<void> => {
    await expect.poll(async () => (await this.download({ 'if-none-match': tag }, file)).status).toBe(304);
  };
}

/** Waits until all files were read, without requests, which come first. */
export async function allProven(of: Pick<Household, 'folder'>): Promise<void> {
  await expect
    .poll(() => itemsIn(of.folder, 'is_dir = 0 AND parent_id IS NOT NULL AND (sha256 IS NULL OR touched < 0)'))
    .toEqual([]);
}
