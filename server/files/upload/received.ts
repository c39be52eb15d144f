import type { Reservation } from '../../access/quota.ts';
import type { Home } from '../../catalogue/homes.ts';
import type { Area } from '../../storage/layout.ts';

/** A whole content that has arrived and been flushed, but has no name yet. */
export interface ReceivedFile {
  readonly kind: 'file';
  /** The home in which space is reserved; null while the home is unknown. */
  readonly home: Home | null;
  /** The work area that holds it. */
  readonly area: Area;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: Buffer;
  /** The modification time it was given, in seconds since the epoch. */
  readonly lastModified: number | undefined;
  /** The reserved space, until the content has a row. */
  readonly reservation: Reservation | null;
  /** When its request began, in milliseconds since the epoch. */
  readonly begunAt: number;
  /** The row of the upload whose parts it consists of. */
  readonly joinedFrom?: string | undefined;
}

/** A chunked upload, after one of its chunks. */
export interface ReceivedChunk {
  readonly kind: 'chunk';
  readonly home: Home;
  /** The id of its row, and the name of its content in the work area. */
  readonly rowId: string;
  /** What clients call the upload. */
  readonly uploadId: string;
  /**
   * Whether the sender of this chunk may learn the id: the client that began the upload, or gave its id. Of two clients with
   * equal first chunks, only one has the id.
   */
  readonly revealsUploadId: boolean;
  /** The content so far, in the work area. */
  readonly path: string;
  /** Where the next chunk begins. */
  readonly offset: number;
  readonly isComplete: boolean;
  /** Of the whole content, as `<algorithm>=<hex>`, if the client sent it. */
  readonly digest: string | undefined;
  /** The space reserved for the whole upload, until it has a row. */
  readonly reservation: Reservation;
  /** Lets the next chunk begin. After a complete upload, call it only once the content is published, or that has failed. */
  readonly end: () => void;
}

export type Received = ReceivedFile | ReceivedChunk;
