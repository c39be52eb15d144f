import type { ExportEntry } from '../exports/entries.ts';
import type { Note, NoteReason } from '../reasons.ts';

/** What became of a content that was taken: why it was not, if so. */
export type Taken = 'intact' | Extract<NoteReason, 'damaged' | 'changed' | 'unreadable_file'>;

/** An archive of an import, or an unpacked one: what has entries. */
export interface Part {
  /** What the part says of the time of a content, in milliseconds since the epoch; NaN if that is unknown. */
  timeOf(entry: ExportEntry): number;
  /** Entries with the same content have the same one. */
  hintOf(entry: ExportEntry): string;
  /**
   * Reads small texts.
   * @param entries at most `MAX_TEXTS` of `MAX_TEXT` bytes each
   * @returns null for one that is damaged, was changed, or is not UTF-8
   */
  texts(entries: readonly ExportEntry[], signal: AbortSignal): Promise<readonly (string | null)[]>;
  /**
   * Copies contents into a folder of the work area, each under its position in the list.
   * @param entries at most `MAX_TAKEN`
   * @throws ApiError when the whole part cannot be read now; StorageError for the disk of the work area
   */
  take(entries: readonly ExportEntry[], folder: string, signal: AbortSignal): Promise<readonly Taken[]>;
}

/** Everything that an import reads. */
export interface ReadSource {
  /** By the number that entries have in `archive`. */
  readonly parts: ReadonlyMap<number, Part>;
  readonly entries: readonly ExportEntry[];
  /** What must not, or cannot, be taken. */
  readonly notes: readonly Note[];
  /** How many of the parts are unpacked archives. */
  readonly unpacked: number;
  /** The names of the archives, from which it can be told whether some are missing. */
  readonly names: readonly string[];
}

/** Entries of all parts of an import. */
export const MAX_ENTRIES = 600_000;
