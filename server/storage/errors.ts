export type StorageReason =
  /** Nothing is there, or nothing that may be reached: a link, a device, a path through a file. */
  | 'not-found'
  /** The name is taken; `existing` says how it is spelled on the disk. */
  | 'taken'
  | 'is-a-folder'
  /** A folder would end up inside itself. */
  | 'into-itself'
  /** The root of the home, or its marker, is not there: a disk that is not connected. */
  | 'offline'
  | 'full'
  | 'too-large'
  /** The source of an upload went away before its end. */
  | 'cut-off'
  /** The operating system does not let this process at it. */
  | 'denied'
  /** The file system is mounted so, or the system made it so after an error. */
  | 'read-only'
  | 'name-too-long'
  /** A name on another file system cannot be given: the content has to be copied there. */
  | 'other-disk';

export class StorageError extends Error {
  readonly reason: StorageReason;
  readonly existing: string | undefined;

  constructor(reason: StorageReason, existing?: string) {
    super(`storage: ${reason}`);
    this.name = 'StorageError';
    this.reason = reason;
    this.existing = existing;
  }
}

/**
 * A disk did not answer in time while it changed something. Whether the change happens is not known: what was begun is finished
 * or undone from the journal.
 */
export class DiskStalled extends Error {
  constructor() {
    super('the disk does not answer');
    this.name = 'DiskStalled';
  }
}

const REASONS: Record<string, StorageReason> = {
  ENOENT: 'not-found',
  ELOOP: 'not-found',
  ENXIO: 'not-found',
  ENOTDIR: 'not-found',
  EISDIR: 'is-a-folder',
  EEXIST: 'taken',
  ENOTEMPTY: 'taken',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'read-only',
  ENAMETOOLONG: 'name-too-long',
  EXDEV: 'other-disk',
};

/** What an operating system's error means here; others, such as EIO, are passed on as they are. */
export function storageError(error: unknown): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException | null)?.code ?? ''];
  return error instanceof StorageError || reason === undefined ? error : new StorageError(reason);
}

/** Whether an error says that nothing is there. */
export function isNotFound(error: unknown): boolean {
  const known = storageError(error);
  return known instanceof StorageError && known.reason === 'not-found';
}

export function orNullIfGone<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
