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

interface FirstScan {
  /** Problems that forbid opening the folder. */
  readonly blocking: readonly string[];
  /** Problems that opening the folder fixes. */
  readonly fixedByOpening: readonly FixedByOpening[];
}

interface FixedByOpening {
  /** Whether the owner should know of it although it is fixed: a key that others could read. */
  readonly level: 'problem' | 'note';
  /** The present state, and the text once the folder was opened. */
  readonly before: string;
  readonly after: string;
}

/** Checks a folder without opening it. Changes nothing. */
export async function scanBeforeOpening(layout: Layout): Promise<FirstScan> {
  try {
    const blocking = await whatIsLost(layout);
    return { blocking, fixedByOpening: blocking.length > 0 ? [] : await fixesOfOpening(layout) };
  } catch (error) {
    // An unreadable file is not a missing one.
    return { blocking: await whyNotOpened(layout, error), fixedByOpening: [] };
  }
}

/** A start would silently create new, empty ones of these, so the owner must decide. */
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

async function fixesOfOpening(layout: Layout): Promise<FixedByOpening[]> {
  const found: FixedByOpening[] = (await missingFolders(layout)).map((folder) => ({
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

/** What to report about a folder that could not be opened: the reason, what to do, and other visible problems. */
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
  // Errors about folders, certificates and newer databases already include what to do.
  return /[.!?]$/.test(message) ? message : t('api.doctor.cannotOpen', { folder: layout.folder, reason: message });
}
