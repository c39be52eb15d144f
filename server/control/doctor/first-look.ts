import { join } from 'node:path';
import { howToRestore } from '../../backup/make/how-to-restore.ts';
import { FolderInUse } from '../../database/folder-lock.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { isExposed } from '../../storage/content/work-area.ts';
import { folderState, isThere, namesIn } from '../../storage/inspect.ts';
import { neverToStartIn } from '../../storage/installation/data-folder.ts';
import { lostDatabase } from '../../storage/installation/database-present.ts';
import type { Layout } from '../../storage/layout.ts';
import { ControlError } from '../dispatcher.ts';
import { folderComplaint, missingFolders } from './folder.ts';
import { openingFailure } from './opening-failure.ts';
import { spaceOf } from './space.ts';

export interface FirstScan {
  /** Problems with which the folder must not be opened. */
  readonly blocking: readonly string[];
  /** What every opening puts right by itself. */
  readonly mendedByOpening: readonly MendedByOpening[];
}

export interface MendedByOpening {
  /** Whether somebody should know of it although it is over: a key that others could read. */
  readonly level: 'problem' | 'note';
  /** How it is now, and what to say once the folder was opened. */
  readonly before: string;
  readonly after: string;
}

/** Looks at a folder without opening it. Changes nothing. */
export async function lookFirst(layout: Layout): Promise<FirstScan> {
  try {
    const blocking = await whatIsLost(layout);
    return { blocking, mendedByOpening: blocking.length > 0 ? [] : await whatOpeningMends(layout) };
  } catch (error) {
    // What cannot be looked at is not lost.
    return { blocking: await whyNotOpened(layout, error), mendedByOpening: [] };
  }
}

/** A start would quietly make a new, empty one of each of these: somebody has to decide that. */
async function whatIsLost(layout: Layout): Promise<string[]> {
  const complaint = folderComplaint(layout.folder, await folderState(layout.folder));
  if (complaint !== null) return [complaint];
  const never = await neverToStartIn(layout);
  if (never !== null) return [never];
  const authority = join(layout.tls, 'ca.crt');
  const hasAuthority = await isThere(authority);
  const lost = await lostDatabase(layout);
  if (lost !== null && !hasAuthority && ((await namesIn(layout.homes)) ?? []).length === 0)
    return [t('api.doctor.noInstallation', { folder: layout.folder, command: larderCommand() })];
  if (lost !== null) return [`${lost.message} ${await howToRestore(layout)}`];
  if (!hasAuthority) return [t('api.doctor.authorityMissing', { file: authority, folder: layout.tls })];
  return [];
}

async function whatOpeningMends(layout: Layout): Promise<MendedByOpening[]> {
  const found: MendedByOpening[] = (await missingFolders(layout)).map((folder) => ({
    level: 'note',
    before: t('api.doctor.folderMissing', { folder }),
    after: t('api.doctor.folderRecreated', { folder }),
  }));
  for (const path of [layout.tls, join(layout.tls, 'ca.key'), join(layout.tls, 'server.key')]) {
    if (!(await isExposed(path))) continue;
    found.push({
      level: 'problem',
      before: t('api.doctor.exposed', { path }),
      after: t('api.doctor.exposedBefore', { path }),
    });
  }
  return found;
}

/** What can be said of a folder that could not be opened: the reason, what to do, and what else is plain to see. */
export async function whyNotOpened(layout: Layout, error: unknown): Promise<string[]> {
  const space = (await spaceOf([layout.folder])).filter(({ level }) => level === 'problem');
  return [await reason(layout, error), ...space.map(({ text }) => text)];
}

async function reason(layout: Layout, error: unknown): Promise<string> {
  const { message } = error as Error;
  if (error instanceof ControlError || error instanceof FolderInUse)
    return t('api.doctor.inUse', { problem: message, folder: layout.folder, file: layout.lock });
  const known = await openingFailure(layout, error);
  if (known !== null) return `${known.message} ${known.advice}`;
  // Folders, certificates and a database of a newer version say themselves what to do.
  return /[.!?]$/.test(message) ? message : t('api.doctor.cannotOpen', { folder: layout.folder, reason: message });
}
