import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { Connection } from '../../../dist/server/database/connection.js';

/** The names of the items that the database of a household has, without a request. @param condition in SQL */
export async function itemsIn(folder: string, condition: string, ...values: string[]): Promise<string[]> {
  const database = await Connection.open(join(folder, '.larder', 'larder.sqlite'), sqlite3.OPEN_READONLY);
  try {
    return (await database.all<{ name: string }>(`SELECT name FROM items WHERE ${condition}`, values)).map(
      ({ name }) => name,
    );
  } finally {
    await database.close();
  }
}
