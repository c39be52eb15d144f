import { ConfigProblem } from '../config/config.ts';
import type { StartFailure } from '../control/contract/desktop.ts';
import { openingFailure } from '../control/doctor/opening-failure.ts';
import { FolderInUse } from '../database/folder-lock.ts';
import { FolderProblem } from '../lib/errors/folder-problem.ts';
import { t } from '../messages/messages.ts';
import { FolderMissing } from '../storage/installation/data-folder.ts';
import type { Layout } from '../storage/layout.ts';

/** Errors of a disk that is full, failing, read-only, or not ready yet. */
const PASSING: ReadonlySet<string | undefined> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EPERM'],
  ...['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_PERM', 'SQLITE_AUTH'],
]);

/**
 * Why a server did not start, as text for people.
 * @param layout of the folder to be opened; null when it is unknown, or the error may concern another one
 */
export async function startFailure(error: unknown, layout: Layout | null): Promise<StartFailure> {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (error instanceof FolderInUse) {
    return { reason: 'in_use', message, advice: t('api.start.inUseAdvice') };
  }
  if (error instanceof FolderMissing) {
    return { reason: 'missing', message, advice: t('api.start.missingAdvice') };
  }
  if (error instanceof FolderProblem || error instanceof ConfigProblem) {
    const advice = t('api.start.folderAdvice');
    return { reason: 'folder', message, advice, mayPass: mayPass(error.cause) };
  }
  if (code === 'EADDRINUSE') {
    return {
      reason: 'port',
      message: t('api.start.portInUse', { port: port ?? 0 }),
      advice: t('api.start.portInUseAdvice'),
    };
  }
  if (code === 'EACCES' && /listen/.test(message)) {
    const advice = t('api.start.portDeniedAdvice');
    return { reason: 'port', message: t('api.start.portDenied', { port: port ?? 0 }), advice };
  }
  const known = layout === null ? null : await openingFailure(layout, error);
  if (known === null) return { reason: 'other', message, advice: t('api.start.otherAdvice') };
  return { ...known, mayPass: mayPass(error) };
}

function mayPass(error: unknown): boolean {
  return PASSING.has((error as NodeJS.ErrnoException | undefined)?.code);
}
