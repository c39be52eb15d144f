import type { Preconditions } from '../../http/request/preconditions.ts';

/** What a rename or move has done. */
export interface Moved {
  /** The path of the item afterwards. */
  readonly path: string;
  /** Whether a file was there, which the item has replaced. */
  readonly hasReplaced: boolean;
}

/** Options of a rename, move or copy. */
export interface TransferOptions {
  /** Whether it may replace a file, whose content becomes a version. */
  readonly overwrite: boolean;
  /** Its name at the destination; by default the name that it has. */
  readonly name?: string | undefined;
  /**
   * Whether a file that is replaced keeps its uuid, shares, links, stars and metadata, and only gets the content of the moved one:
   * programs save so, by way of a temporary file. By default the moved file keeps its own.
   */
  readonly keepsReplaced?: boolean;
  /** The program (account, credential and device) that saves a file in several steps: see `vacated.ts`. */
  readonly program?: string | undefined;
  /** About the source: evaluated when it is renamed, or opened for a copy. */
  readonly conditions?: Preconditions | null;
  /** Another condition, evaluated with the destination locked, of a move also the source. @throws ApiError to refuse it */
  readonly check?: (() => Promise<void>) | undefined;
}
