import type { ActivityDatabase } from '../../database/database.ts';
import type { Area } from '../../storage/layout.ts';
import type { FilesContext } from '../context.ts';
import type { ChunkOrder } from './chunk-order.ts';

/** A chunk of an upload that is being received. */
export interface ChunkInProgress {
  stop(): void;
  /** Resolves when it and those before it have ended; work that they gave up may still go on. */
  readonly ended: Promise<unknown>;
  /** Resolves when that work is over, too. */
  readonly done: Promise<unknown>;
}

/** What reads and writes the rows of unfinished uploads: no cache depends on them, and large uploads write them often. */
export interface UploadRowsContext {
  readonly uploadRows: ActivityDatabase;
}

/** What uploads work with beside other operations on files. */
export interface UploadContext extends FilesContext, UploadRowsContext {
  /** The work area shared by all homes without one of their own. */
  readonly area: Area;
  /** By account and path: a newer chunk aborts the older one. */
  readonly chunksInProgress: Map<string, ChunkInProgress>;
  readonly chunkOrder: ChunkOrder;
}
