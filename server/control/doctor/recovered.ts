import { join } from 'node:path';
import { lockKey } from '../../catalogue/catalogue.ts';
import type { Home } from '../../catalogue/homes.ts';
import { t } from '../../messages/messages.ts';
import type { Published } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushAndClose, flushFolder } from '../../storage/flush.ts';
import type { DoctorParts } from './parts.ts';

/** The folder for contents without a row, visible to the home's owner, the only one who can identify them. */
const FOLDER = 'Recovered';
const TRIES = 100;

/**
 * Gives a content of the work area a name in the home. Nothing is overwritten, and after a power cut it has one of its names, or
 * both.
 * @returns its path in the home
 */
export async function moveToRecovered(
  { disk, catalogue }: Pick<DoctorParts, 'disk' | 'catalogue'>,
  home: Home,
  area: string,
  id: string,
  label: string,
): Promise<string[]> {
  const folder = await recoveredFolder(disk, home);
  const { entry } = await catalogue.changing(home, async () => {
    const back = await withFreeName(label, (name) =>
      disk.run('moveIn', { homeRoot: home.homeRoot, parent: [folder], name, source: join(area, id) }),
    );
    await flushAndClose(back.folderFd);
    await flushFolder(area);
    return back;
  });
  return [folder, entry.name];
}

/** @returns its name on the disk, which may be spelled differently */
async function recoveredFolder(disk: DoctorParts['disk'], { homeRoot }: Home): Promise<string> {
  try {
    const made = await disk.run('createFolder', { homeRoot, parent: [], name: FOLDER });
    await flushAndClose(made.folderFd);
    return made.entry.name;
  } catch (error) {
    if (!(error instanceof StorageError) || error.reason !== 'taken' || error.existing === undefined) throw error;
    const found = await disk.run('stat', { homeRoot, segments: [error.existing] });
    if (!found.entry.isDir) throw new Error(t('api.doctor.folderNeeded', { name: error.existing }));
    return error.existing;
  }
}

async function withFreeName(label: string, put: (name: string) => Promise<Published>): Promise<Published> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await put(attempt === 1 ? label : `${label} (${attempt})`);
    } catch (error) {
      const isTaken = error instanceof StorageError && error.reason === 'taken';
      if (!isTaken || attempt >= TRIES) throw error;
    }
  }
}

/** Runs with none of our operations in progress in any of the homes. @throws LockTimeout */
export function whileStill<T>({ locks }: Pick<DoctorParts, 'locks'>, homes: readonly Home[], work: () => Promise<T>) {
  return locks.run(
    homes.map((home) => lockKey(home, [])),
    work,
  );
}
