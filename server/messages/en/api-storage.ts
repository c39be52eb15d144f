/** Problems of the data folder, its disk and the database. */
export const apiStorageMessages = {
  'api.storage.readOnly':
    'The disk of {folder} is read-only: users can read files but cannot change anything. It was mounted read-only, or the system made it read-only after an error. Check the disk, make it writable and restart Larder.',
} as const;
