import type { HomeRecord, Homes } from '../../catalogue/homes.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { type Disk, isOnline } from '../../storage/disk/disk.ts';
import { homeContent } from '../../storage/homes/home-content.ts';
import { MARKER_FILE } from '../../storage/paths/folder-handle.ts';
import { type AllowedLocation, type AskedBy, refused } from './home-rules.ts';

/** How a folder becomes a home. */
export interface HomeUse {
  /** The id in its existing marker; null if it gets a new marker. */
  readonly homeId: string | null;
  /** The orphaned home that is taken over with it. */
  readonly orphan: HomeRecord | null;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Decides by its contents whether and how an allowed location can become a home.
 * @throws FieldProblem `homefolder`
 */
export async function useOf(
  { path, isOutside, orphan }: AllowedLocation,
  { adopt, mustExist, by, homes, disk }: { adopt: boolean; mustExist: boolean; by: AskedBy; homes: Homes; disk: Disk },
): Promise<HomeUse> {
  const say = (sentence: string) => refused(by === 'api' ? 'This folder cannot be a home: it is not empty.' : sentence);
  const content = await homeContent(path).catch(() => {
    throw say('The folder cannot be read by the user that runs Larder.');
  });
  if (content === null) {
    if (orphan !== null)
      throw say(`The home of ${orphan.username || 'a former account'} was here. Connect its disk first.`);
    if (mustExist) throw say('There is no such folder.');
    return { homeId: null, orphan: null };
  }
  if (content.area === 'in-the-way') throw say('The folder has a ".larder-area" that is none. Move it away first.');
  const { markerId } = content;
  if (markerId === null) {
    if (orphan !== null)
      throw say(`The folder is that of a former home, and has lost its marker. See: ${larderCommand()} doctor`);
    if (!content.isEmpty && !adopt) throw say('The folder has files in it. Only the owner can make it a home.');
    return { homeId: null, orphan: null };
  }
  const known = UUID.test(markerId) ? await homes.recordOf(markerId) : null;
  if (known === null) {
    // The remains of a home whose creation a power cut interrupted: no foreign marker gets into the data folder.
    if (!isOutside && content.isEmpty && UUID.test(markerId)) return { homeId: markerId, orphan: null };
    throw say(`The folder is a home of another Larder. If it is one no longer, delete the file ${MARKER_FILE} in it.`);
  }
  if (known.accountId !== null) throw say('The folder is, or was copied from, the home of an account.');
  if (known.trashed !== null) throw say('The folder was copied from a home that is in the trash.');
  if (!adopt) throw say(`The folder is the home of ${known.username || 'a former account'}. Adopt it to use it again.`);
  if (known.id === orphan?.id) return { homeId: known.id, orphan: known };
  if (orphan !== null) throw say('The folder is in the place of another former home.');
  if (known.isOutside !== isOutside) {
    throw say(
      `This home was at ${known.homeRoot.root}. Move it back there first: its earlier versions are kept beside it.`,
    );
  }
  if (await isOnline(disk, known.homeRoot)) {
    throw say(
      `The folder was copied from the home at ${known.homeRoot.root}. Delete the file ${MARKER_FILE} in it first.`,
    );
  }
  return { homeId: known.id, orphan: known };
}
