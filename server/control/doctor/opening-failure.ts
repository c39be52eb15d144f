import { join } from 'node:path';
import { MARKER_FILE } from '../../storage/folder-handle.ts';
import { fileSize, isThere, namesIn } from '../../storage/inspect.ts';
import type { Layout } from '../../storage/layout.ts';
import { howToRestore } from './database.ts';

/** Why an installation could not be opened, for people. */
export interface OpeningFailure {
  /** Whether it is the database that has to be put back, or something of the folder and its disk. */
  readonly reason: 'database' | 'folder' | 'in_use';
  /** What is wrong, in sentences. */
  readonly message: string;
  /** What to do, in sentences. */
  readonly advice: string;
}

/** An installation without its database: a start would make an empty one in its place. */
export class DatabaseLost extends Error {
  readonly failure: OpeningFailure;

  constructor(failure: OpeningFailure) {
    super(`${failure.message} ${failure.advice}`);
    this.failure = failure;
  }
}

/** @throws DatabaseLost when the folder was an installation and has no database any more, or nothing in it */
export async function requireDatabase(layout: Layout): Promise<void> {
  const lost = await lostDatabase(layout);
  if (lost !== null && (await wasInstallation(layout))) throw new DatabaseLost(lost);
}

/** What is to be said of a database that is not there or has nothing in it; null when it has. */
export async function lostDatabase(layout: Layout): Promise<OpeningFailure | null> {
  const size = await fileSize(layout.database);
  if (size !== null && size > 0) return null;
  const what = size === null ? 'is missing' : 'is empty (0 bytes)';
  return {
    reason: 'database',
    message: `The database ${layout.database} ${what}, with all accounts and what is remembered of the files. Nothing is started without it: a new one would know nobody.`,
    advice: await howToRestore(layout),
  };
}

/** Whether there is what only an installation has: its authority, or a home with its marker. */
async function wasInstallation({ tls, homes }: Layout): Promise<boolean> {
  if (await isThere(join(tls, 'ca.crt'))) return true;
  for (const name of (await namesIn(homes).catch(() => null)) ?? []) {
    if (await isThere(join(homes, name, MARKER_FILE))) return true;
  }
  return false;
}

/** What an error of SQLite or of the system means for the opening of a folder; null for one that says itself what it is. */
export async function openingFailure(layout: Layout, error: unknown): Promise<OpeningFailure | null> {
  if (error instanceof DatabaseLost) return error.failure;
  const { code, message } = error as NodeJS.ErrnoException;
  const ofFolder = (what: string, advice: string): OpeningFailure => ({ reason: 'folder', message: what, advice });
  switch (code) {
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return {
        reason: 'database',
        message: `The database ${layout.database} is damaged (${message}).`,
        advice: await howToRestore(layout),
      };
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return {
        reason: 'in_use',
        message: `Another program keeps the database ${layout.database} busy.`,
        advice: `Stop it; this names it: fuser -v "${layout.database}"`,
      };
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
    case 'SQLITE_AUTH':
    case 'EACCES':
    case 'EPERM':
      return ofFolder(
        `${layout.larder} cannot be read and written by this user (${message}).`,
        'Run Larder as the user whose folder it is, or give it access to all of it.',
      );
    case 'EROFS':
      return ofFolder(
        `The disk of ${layout.folder} can only be read (${message}).`,
        'It is mounted so, or the system made it so after an error: check the disk, and make it writable again.',
      );
    case 'SQLITE_FULL':
    case 'ENOSPC':
    case 'EDQUOT':
      return ofFolder(`The disk of ${layout.folder} is full.`, 'Make room on it and try again.');
    case 'SQLITE_IOERR':
    case 'EIO':
      return ofFolder(
        `The disk of ${layout.folder} has errors (${message}).`,
        'Make a copy of the folder first, then have the disk checked.',
      );
    default:
      return null;
  }
}
