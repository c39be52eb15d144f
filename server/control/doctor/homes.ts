import { join } from 'node:path';
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
    if (complaint !== null)
      found.push(problem(`${complaint} Until then it is offline, and nothing of it is forgotten.`));
  }
  return found;
}

function homeComplaint({ root, homeId }: HomeRoot, state: HomeState): string | null {
  const marker = join(root, MARKER_FILE);
  switch (state) {
    case 'ready':
      return null;
    case 'no-folder':
      return `The home ${root} is not there. Connect its disk, or put the folder back in its place.`;
    case 'no-marker':
      return `The home ${root} has lost its marker file. If its files are not in it, connect its disk; if they are, put the marker back: echo ${homeId} > "${marker}"`;
    case 'other-marker':
      return `The marker file of the home ${root} is that of another home. Put the right folder in its place; if this is the right one, write its marker: echo ${homeId} > "${marker}"`;
    case 'stalled':
      return `The disk of the home ${root} does not answer. Check the disk and how it is connected; a network disk may have lost its server.`;
    case 'denied':
      return `The home ${root} cannot be read by this user: its access rights were changed, or its disk has errors. Give the user that runs Larder access to ${marker} and all else in it.`;
  }
}
