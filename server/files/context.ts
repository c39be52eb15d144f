import type { Access } from '../access/access.ts';
import type { Quotas } from '../access/quota.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { FilesDatabase } from '../database/database.ts';
import type { PathLocks } from '../lib/concurrency/path-locks.ts';
import type { Events } from '../lib/events.ts';
import type { Disk } from '../storage/disk/disk.ts';
import type { Reserve } from '../storage/installation/reserve.ts';
import type { RecoveryContext } from './journal/context.ts';
import type { FolderLocks } from './locks/folder-locks.ts';

/** What reads and writes the rows of items. */
export interface RowsContext {
  readonly database: FilesDatabase;
}

/** What tells the content of an item. */
export interface ContentsContext extends RowsContext {
  readonly catalogue: Catalogue;
  readonly disk: Disk;
}

/** What finds an item for a caller, and keeps it where it is. */
export interface ItemsContext extends ContentsContext {
  readonly access: Access;
  readonly pathLocks: PathLocks;
}

/** What changes something of an item, and tells of it. */
export interface ChangesContext extends ItemsContext {
  readonly events: Events;
}

/** What every file operation works with. */
export interface FilesContext extends ChangesContext, RecoveryContext {
  readonly quotas: Quotas;
  readonly reserve: Pick<Reserve, 'forDeletion' | 'requireRoom'>;
  readonly folderLocks: FolderLocks;
}

export { lockKey } from '../catalogue/catalogue.ts';
