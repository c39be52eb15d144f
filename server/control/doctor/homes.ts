import { join } from 'node:path';
import { t } from '../../messages/messages.ts';
import { type HomeState, homeState } from '../../storage/inspect.ts';
import { type HomeRoot, MARKER_FILE } from '../../storage/paths/folder-handle.ts';
import { type DoctorParts, type Finding, problem } from './parts.ts';

/**
 * Checks that every home exists and has its marker. A marker is never recreated automatically: the folder may be an empty mount
 * point, and with a marker in it everything on the missing disk would count as deleted.
 */
export async function checkHomes({ homes, disk }: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { homeRoot } of await homes.all()) {
    const complaint = homeComplaint(homeRoot, await homeState(disk, homeRoot));
    if (complaint !== null) found.push(problem(t('api.doctor.homeOffline', { problem: complaint })));
  }
  return found;
}

function homeComplaint({ root, homeId }: HomeRoot, state: HomeState): string | null {
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
