import type { IncomingHttpHeaders } from 'node:http';
import type { FilesDatabase } from '../database/database.ts';
import { changeDeadProperties } from '../files/dead-properties.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { SECOND } from '../lib/clock.ts';
import { httpDate } from '../lib/datetime.ts';
import { t } from '../messages/messages.ts';
import { EARLIEST_TIME, LATEST_TIME } from '../storage/disk/time-limits.ts';
import { MICROSOFT } from './xml/xml-tree.ts';

/** The time of last change that a sync client states for a file, in seconds since the epoch. @throws ApiError `invalid_parameter` */
export const modifiedIn = (headers: IncomingHttpHeaders) => secondsIn(headers, 'X-OC-Mtime');

/** The same of its creation: the phone apps made for Nextcloud state when a photo was taken. */
export const createdIn = (headers: IncomingHttpHeaders) => secondsIn(headers, 'X-OC-CTime');

function secondsIn(headers: IncomingHttpHeaders, name: string): number | undefined {
  const header = headers[name.toLowerCase()];
  if (typeof header !== 'string') return undefined;
  const seconds = /^\s*-?\d{1,12}(?:\.\d+)?\s*$/.test(header) ? Math.floor(Number(header)) : Number.NaN;
  if (seconds >= EARLIEST_TIME && seconds <= LATEST_TIME) return seconds;
  throw invalidParameter(name, t('api.parameters.datetime', { parameter: name }));
}

/**
 * Stores the stated time of creation with a file, in the property in which Windows states it: no file system lets one set it.
 * @param created in seconds since the epoch
 */
export async function rememberCreation(
  database: Pick<FilesDatabase, 'write'>,
  uuid: string,
  created: number,
): Promise<void> {
  const name = 'Win32CreationTime';
  const value = `<${name} xmlns="${MICROSOFT}">${httpDate(created * SECOND)}</${name}>`;
  await database
    .write(async (tx) => {
      const row = await tx.get<{ id: number }>('SELECT id FROM items WHERE uuid = ?', [uuid]);
      if (row !== undefined) await changeDeadProperties(tx, row.id, [{ namespace: MICROSOFT, name, value }]);
    })
    .catch((error) => {
      // The file is stored, and as many properties as there may be.
      if (!(error instanceof ApiError)) throw error;
    });
}
