import { join } from 'node:path';
import { t } from '../../messages/messages.ts';
import { type HomeState, homeState } from '../../storage/inspect.ts';
import { MARKER_FILE, type Place } from '../../storage/paths/folder-handle.ts';
import { type DoctorParts, type Finding, problem } from './parts.ts';

/**
 * Every home is there and is the one it should be. A marker is never put back by itself: the folder may be the empty
 * place where a disk belongs, and with a marker in it everything on that disk would count as deleted.
 */
export async function checkHomes({ homes, disk }: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { place } of await homes.all()) {
    const complaint = homeComplaint(place, await homeState(disk, place));
    if (complaint !== null) found.push(problem(t('api.doctor.homeOffline', { problem: complaint })));
  }
  return found;
}

function homeComplaint({ root, homeId }: Place, state: HomeState): string | null {
  const marker = join(root, MARKER_FILE);
  switch (state) {
    case 'ready':
      return null;
    case 'no-folder':
      return t('api.doctor.homeMissing', { home: root });
    case 'no-marker':
      return t('api.doctor.homeWithoutMarker', { home: root, id: homeId, file: marker });
    case 'other-marker':
      return t('api.doctor.homeOtherMarker', { home: root, id: homeId, file: marker });
    case 'stalled':
      return t('api.doctor.homeStalled', { home: root });
    case 'denied':
      return t('api.doctor.homeDenied', { home: root, file: marker });
  }
}
