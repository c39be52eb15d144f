import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { wrongCounts } from '../../dist/server/catalogue/storage-use.js';
import { Connection } from '../../dist/server/database/connection.js';
import { eventually } from '../support/system/eventually.ts';

export interface ItemRecord {
  readonly id: number;
  readonly uuid: string;
  readonly parent_id: number | null;
  readonly name: string;
  readonly is_dir: number;
  readonly size: number;
  readonly version: number;
  readonly missing_since: number | null;
  readonly changed_by: number | null;
}

export interface VersionRecord {
  readonly id: string;
  readonly item_id: number;
  readonly version: number;
  readonly size: number;
  readonly changed_by: number | null;
}

export interface Records {
  readonly items: readonly ItemRecord[];
  /** The newest first. */
  readonly versions: readonly VersionRecord[];
  readonly trash: readonly {
    readonly id: string;
    readonly item_id: number;
    readonly original_path: string;
    readonly original_parent_id: number | null;
  }[];
  readonly uploads: readonly { readonly id: string; readonly path: string; readonly total_size: number }[];
}

/** A file with its content, or a folder with what is in it. */
export type Stored = string | ReadonlyMap<string, Stored>;

/** What the household has on its disk, read past the server. */
export interface Disk {
  readonly home: ReadonlyMap<string, Stored>;
  readonly trash: ReadonlyMap<string, Stored>;
  readonly versions: ReadonlyMap<string, Stored>;
  readonly incoming: ReadonlyMap<string, Stored>;
}

/** The server's database, for reading only. */
export class Rows {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async open(folder: string): Promise<Rows> {
    return new Rows(await Connection.open(join(folder, '.larder', 'larder.sqlite'), sqlite3.OPEN_READONLY));
  }

  async read(): Promise<Records> {
    const all = <Row>(sql: string) => this.#connection.all<Row>(sql);
    return {
      items: await all(
        'SELECT id, uuid, parent_id, name, is_dir, size, version, missing_since, changed_by FROM items ORDER BY id',
      ),
      versions: await all('SELECT id, item_id, version, size, changed_by FROM versions ORDER BY version DESC'),
      trash: await all('SELECT id, item_id, original_path, original_parent_id FROM trash'),
      uploads: await all('SELECT id, path, total_size FROM uploads'),
    };
  }

  /** Where the count of what is in a home is not what its rows add up to. */
  async miscounted(): Promise<readonly string[]> {
    return (await wrongCounts(this.#connection)).map(({ used, counted }) => `${used} bytes counted, ${counted} there`);
  }

  /** Some clean up a moment after their reply. @returns what is still in the journal after that moment */
  async settled(): Promise<readonly string[]> {
    let left: string[] = [];
    const look = async () => {
      left = (await this.#connection.all<{ data: string }>('SELECT data FROM journal')).map(({ data }) => data);
      return left;
    };
    await eventually(look, (seen) => seen.length === 0).catch((error) => {
      if (left.length === 0) throw error;
    });
    return left;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

export async function readDisk(folder: string, home: string): Promise<Disk> {
  const area = (name: string) => stored(join(folder, '.larder', name));
  const files = new Map(await stored(home));
  files.delete('.larder-home');
  return {
    home: files,
    trash: await area('trash'),
    versions: await area('versions'),
    incoming: await area('incoming'),
  };
}

async function stored(folder: string): Promise<ReadonlyMap<string, Stored>> {
  const found = new Map<string, Stored>();
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    found.set(name, (await lstat(path)).isDirectory() ? await stored(path) : await readFile(path, 'utf8'));
  }
  return found;
}
