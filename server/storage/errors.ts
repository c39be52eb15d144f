export type StorageReason =
  /** Nothing that may be accessed exists there: also for a link, a device, or a path through a file. */
  | 'not-found'
  /** The name is taken; `existing` is its spelling on the disk. */
  | 'taken'
  | 'is-a-folder'
  /** A folder would end up inside itself. */
  | 'into-itself'
  /** The root of the home, or its marker, is missing: a disk is not mounted. */
  | 'offline'
  | 'full'
  | 'too-large'
  /** The source of an upload closed before its end. */
  | 'cut-off'
  /** The operating system denies this process access. */
  | 'denied'
  /** The file system is mounted read-only, or became so after an error. */
  | 'read-only'
  | 'name-too-long'
  /** A file cannot be renamed to another file system: the content has to be copied. */
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

/** A disk did not respond in time during a change. Whether the change happens is unknown: the journal finishes or undoes it. */
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

/** Converts an operating system's error; others, such as EIO, are passed on unchanged. */
export function storageError(error: unknown): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException | null)?.code ?? ''];
  return error instanceof StorageError || reason === undefined ? error : new StorageError(reason);
}

/** Whether an error means that nothing exists there. */
export function isNotFound(error: unknown): boolean {
  const known = storageError(error);
  return known instanceof StorageError && known.reason === 'not-found';
}

/** For work that fails where nothing exists: null then. @throws every other error */
export function nullIfGone(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}

/** The same, but only where a name does not exist: a loop of links, or a file in the place of a folder, is an error. */
export function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') return null;
  throw error;
}

export function orNullIfGone<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    return nullIfGone(error);
  }
}
