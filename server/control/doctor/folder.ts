import { dirname, join } from 'node:path';
import { larderCommand } from '../../lib/process/larder-command.ts';
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
      problem(
        `The folder ${folder} is missing. Repairing makes it again, empty: ${larderCommand()} doctor --repair`,
        async () => {
          await prepareFolder(layout);
          return `The folder ${folder} was missing and was made again.`;
        },
      ),
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
      return `There is no folder ${path}. Say which folder Larder uses: ${larderCommand()} doctor --folder <path>`;
    case 'no-folder':
      return `${path} is not a folder. Say which folder Larder uses: ${larderCommand()} doctor --folder <path>`;
    case 'denied':
      return `${path} cannot be read and written by this user. Run Larder as the user whose folder it is, or give it access.`;
    case 'read-only':
      return `${path} is on a disk that cannot be written: it is read-only, or the system made it so after an error. Check the disk.`;
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
  const text = `The access rights of ${path} let other users of this machine in. Take them away: chmod go= "${path}", or ${larderCommand()} doctor --repair`;
  return problem(text, async () => {
    await closeToOthers(path);
    if (await isExposed(path)) throw new Error('the file system keeps no access rights');
    return `The access rights of ${path} let other users of this machine in, and no longer do.`;
  });
}
