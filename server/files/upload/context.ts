import type { FilesContext } from '../context.ts';
import type { ChunkOrder } from './chunk-order.ts';

/** A chunk of an upload that is being received. */
export interface ChunkInProgress {
  stop(): void;
  readonly done: Promise<unknown>;
}

/** What uploads work with beside other operations on files. */
export interface UploadContext extends FilesContext {
  /** By account and path: a newer chunk aborts the older one. */
  readonly chunksInProgress: Map<string, ChunkInProgress>;
  readonly chunkOrder: ChunkOrder;
}
