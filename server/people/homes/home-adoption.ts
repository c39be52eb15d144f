import type { HomeRecord, Homes } from '../../catalogue/homes.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { type Disk, isOnline } from '../../storage/disk/disk.ts';
import { homeContent } from '../../storage/homes/home-content.ts';
import { MARKER_FILE } from '../../storage/paths/folder-handle.ts';
import { type AllowedLocation, type RequestedBy, refused } from './home-rules.ts';

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
  {
    adopt,
    mustExist,
    by,
    homes,
    disk,
  }: { adopt: boolean; mustExist: boolean; by: RequestedBy; homes: Homes; disk: Disk },
): Promise<HomeUse> {
  const say = (sentence: string) => refused(by === 'api' ? t('api.homes.notEmpty') : sentence);
  const content = await homeContent(path).catch(() => {
    throw say(t('api.homes.unreadable'));
  });
  if (content === null) {
    if (orphan !== null)
      throw say(
        orphan.username === ''
          ? t('api.homes.orphanOfflineUnknown')
          : t('api.homes.orphanOffline', { username: orphan.username }),
      );
    if (mustExist) throw say(t('api.homes.folderMissing'));
    return { homeId: null, orphan: null };
  }
  if (content.area === 'in-the-way') throw say(t('api.homes.areaInTheWay'));
  const { markerId } = content;
  if (markerId === null) {
    if (orphan !== null) throw say(t('api.homes.markerLost', { command: larderCommand() }));
    if (!content.isEmpty && !adopt) throw say(t('api.homes.hasFiles'));
    return { homeId: null, orphan: null };
  }
  const known = UUID.test(markerId) ? await homes.recordOf(markerId) : null;
  if (known === null) {
    // The remains of a home whose creation a power cut interrupted: no foreign marker gets into the data folder.
    if (!isOutside && content.isEmpty && UUID.test(markerId)) return { homeId: markerId, orphan: null };
    throw say(t('api.homes.foreign', { file: MARKER_FILE }));
  }
  if (known.accountId !== null) throw say(t('api.homes.ofAccount'));
  if (known.trashed !== null) throw say(t('api.homes.ofTrash'));
  if (!adopt) {
    const { username } = known;
    throw say(username === '' ? t('api.homes.orphanUnknown') : t('api.homes.orphan', { username }));
  }
  if (known.id === orphan?.id) return { homeId: known.id, orphan: known };
  if (orphan !== null) throw say(t('api.homes.otherOrphan'));
  if (known.isOutside !== isOutside) {
    throw say(t('api.homes.moveBack', { path: known.homeRoot.root }));
  }
  if (await isOnline(disk, known.homeRoot)) {
    throw say(t('api.homes.copyOf', { path: known.homeRoot.root, file: MARKER_FILE }));
  }
  return { homeId: known.id, orphan: known };
}
