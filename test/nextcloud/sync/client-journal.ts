import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';

/**
 * Lets the client try again what has failed, as a person does in its window. Otherwise it waits: half a minute at first, then longer.
 * @param folder that it synchronizes, while it does not run
 */
export async function retryFailed(folder: string): Promise<void> {
  const name = (await readdir(folder)).find((one) => /^\.sync_\w+\.db$/.test(one));
  if (name === undefined) return;
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(join(folder, name), sqlite3.OPEN_READWRITE, (error) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  await new Promise<void>((resolve, reject) =>
    database.exec('DELETE FROM blacklist', (error) =>
      // A client that was killed early has made no table yet.
      error === null || /no such table/.test(error.message) ? resolve() : reject(error),
    ),
  );
  await new Promise<void>((resolve, reject) => database.close((error) => (error === null ? resolve() : reject(error))));
}
