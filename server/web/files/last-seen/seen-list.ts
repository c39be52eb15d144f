/** One entry of a list that a device keeps: what the list shows of it, without its contents. */
interface SeenRow {
  readonly name: string;
  readonly path: string;
  readonly isDir: boolean;
  /** Bytes; null for a folder. */
  readonly size: number | null;
  /** Milliseconds since the epoch. */
  readonly changedAt: number | null;
}

/** A list as a device keeps it. Nothing in it gives access to anything. */
export interface SeenList {
  readonly account: number;
  readonly path: string;
  readonly name: string;
  /** The names of the folders above it, from the top. */
  readonly above: readonly string[];
  /** Whether others share it, or any entry of it. */
  readonly isShared: boolean;
  readonly rows: readonly SeenRow[];
  /** Entries of the list, of which `rows` are the first. */
  readonly total: number;
}
