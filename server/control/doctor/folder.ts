import { dirname, join } from 'node:path';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { isExposed } from '../../storage/content/work-area.ts';
import { closeToOthers, folderState, isThere } from '../../storage/inspect.ts';
import { prepareFolder } from '../../storage/installation/data-folder.ts';
import { areaIn, type Layout } from '../../storage/layout.ts';
import { type DoctorParts, type Finding, problem } from './parts.ts';

/** Checks the installation's folder: it is writable, complete, and not readable by others. */
export async function checkFolder({ layout, homes }: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const folder of [layout.folder, layout.larder]) {
    const complaint = folderComplaint(folder, await folderState(folder));
    if (complaint !== null) found.push(problem(complaint));
  }
  // Nothing can be said about the contents of a folder that is not accessible.
  for (const folder of found.length > 0 ? [] : await missingFolders(layout)) {
    found.push(
      problem(t('api.doctor.folderMissingRepair', { folder, command: larderCommand() }), async () => {
        await prepareFolder(layout);
        return t('api.doctor.folderRecreated', { folder });
      }),
    );
  }
  const areas = (await homes.all()).map((home) => dirname(home.area.incoming)).filter((area) => area !== layout.larder);
  for (const path of [layout.larder, ...keysOf(layout), layout.control, ...new Set(areas)]) {
    if (await isExposed(path)) found.push(exposed(path));
  }
  return found;
}

/** The problem of a folder and what to do, or null. */
export function folderComplaint(path: string, state: Awaited<ReturnType<typeof folderState>>): string | null {
  switch (state) {
    case 'usable':
      return null;
    case 'missing':
      return t('api.doctor.noFolder', { path, command: larderCommand() });
    case 'no-folder':
      return t('api.doctor.notFolder', { path, command: larderCommand() });
    case 'denied':
      return t('api.doctor.folderDenied', { path });
    case 'read-only':
      return t('api.doctor.folderReadOnly', { path });
  }
}

/** The folders of the layout that a start creates if missing. @throws the system's error when they cannot be checked */
export async function missingFolders(layout: Layout): Promise<string[]> {
  const parts = [layout.homes, layout.logs, layout.backups, ...Object.values(areaIn(layout.larder))];
  const missing: string[] = [];
  for (const part of parts) if (!(await isThere(part))) missing.push(part);
  return missing;
}

/** The folder of the keys, and the keys. */
function keysOf({ tls }: Layout): string[] {
  return [tls, ...['ca.key', 'server.key', 'own.key'].map((name) => join(tls, name))];
}

function exposed(path: string): Finding {
  const text = t('api.doctor.exposedRepair', { path, command: larderCommand() });
  return problem(text, async () => {
    await closeToOthers(path);
    if (await isExposed(path)) throw new Error(t('api.doctor.noPermissions'));
    return t('api.doctor.exposedFixed', { path });
  });
}
