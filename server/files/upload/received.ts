import type { Reservation } from '../../access/quota.ts';
import type { Home } from '../../catalogue/homes.ts';
import type { Area } from '../../storage/layout.ts';

/** A whole content that has arrived and been flushed, and has no name yet. */
export interface ReceivedFile {
  /** The home that there is room held in; null as long as nobody knows which it will be. */
  readonly home: Home | null;
  /** The work area that it lies in. */
  readonly area: Area;
  readonly path: string;
  readonly size: number;
  /** The modification time it was given, in seconds since the epoch. */
  readonly lastModified: number | undefined;
  /** The room for it, until it has a row. */
  readonly reservation: Reservation | null;
  /** When its request began, in milliseconds since the epoch. */
  readonly begunAt: number;
}

/** A chunked upload, after one of its chunks. */
export interface ReceivedChunk {
  readonly home: Home;
  /** The name of its content in the work area. */
  readonly uploadId: string;
  /** What clients call the upload. */
  readonly key: string;
  /**
   * Whether the sender of this chunk may be told so: who has begun the upload, or named it. Of two clients whose first chunks
   * are the same, only one has the id.
   */
  readonly revealsKey: boolean;
  /** The content so far, in the work area. */
  readonly path: string;
  /** Where the next chunk begins. */
  readonly offset: number;
  readonly isComplete: boolean;
  /** Of the whole content, as `<algorithm>=<hex>`, where the client has said it. */
  readonly digest: string | undefined;
  /** The room for all of it, until it has a row. */
  readonly reservation: Reservation;
  /** Lets another chunk begin. After a complete upload only once its content has its name, or failed to. */
  readonly end: () => void;
}

export type Received = ReceivedFile | ReceivedChunk;
