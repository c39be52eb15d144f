/** Errors about home folders. */
export const apiHomesMessages = {
  'api.homes.notInTrash': 'This home folder is not in the trash.',
  'api.homes.notFound': 'This home folder does not exist.',
  'api.homes.offline': 'The disk with this home folder is not connected.',
  'api.homes.parentGone': 'The folder {folder} no longer exists.',
  'api.homes.stillOnline': 'This home folder is available. Move it to the trash instead.',
  'api.homes.busy': 'This home folder is in use. Try again in a moment.',
  'api.homes.inUse': 'This home folder belongs to an account.',
  'api.homes.pathTaken': '{path} exists already. Move it away first.',
  'api.homes.cannotRestore': 'The home folder cannot be moved back: its disk is not connected or does not allow it.',
  'api.homes.trashDenied':
    'The home folder was not moved: the user that runs Larder does not have permission to move it.',
  'api.homes.trashInUse': 'The home folder was not moved: it is a disk of its own, or another program is using it.',
} as const;
