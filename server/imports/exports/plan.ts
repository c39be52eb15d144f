import type { ExportEntry } from './entries.ts';

/** Why something of an export was not understood, or not brought. */
export const PLAN_REASONS = [
  /** A folder of another product of Google. */
  'other_product',
  /** A file that is neither a photo nor a film. */
  'not_photo',
  /** A file with descriptions (JSON or CSV) that is too large, or cannot be read. */
  'large_description',
  'unreadable_description',
  /** A photo without a description: it is stored, without what the description would say. */
  'no_description',
  /** The same for all photos of archives without any description. */
  'no_descriptions',
  /** An archive that was not selected, as far as the names of the others say so. */
  'missing_part',
  /** A description whose photo is not in any of the archives. */
  'no_photo',
  /** A folder that is neither an album nor that of a year: its photos are stored. */
  'no_album',
  /** Albums here have no description. */
  'album_description',
  /** Some photos of an album are not in the archives, or share their name with others: the album has the rest. */
  'album_incomplete',
  /** It was in the trash of the other service. */
  'trashed',
  /** It was hidden or locked in the other service: here it is in a folder of its own, and shown as others. */
  'hidden',
  /** Photos that were archived in the other service: here they are shown as others. */
  'archived',
  /** Who is on photos: it is not kept. */
  'people',
  /** What Photos of a Mac says of how photos were edited, in a folder. */
  'edits',
  /** Selections that iCloud made by itself. */
  'memories',
  /** An archive within the archive. */
  'nested_archive',
] as const;

type PlanReason = (typeof PLAN_REASONS)[number];

export interface PlanNote {
  /** A path in the archives. */
  readonly entry: string;
  readonly reason: PlanReason;
}

/** Where a photo was taken, in degrees. */
export interface StatedPlace {
  readonly latitude: number;
  readonly longitude: number;
}

/** What an export says of a photo or film. */
export interface StatedFacts {
  /** Seconds since the epoch; null if unknown. */
  readonly taken: number | null;
  readonly place: StatedPlace | null;
  /** Empty if there is none. */
  readonly description: string;
  readonly isFavourite: boolean;
  /** Empty if there is none. */
  readonly title?: string;
  readonly keywords?: readonly string[];
}

export interface PlannedAlbum {
  /** What identifies it in the export: the path of its folder or list. */
  readonly folder: string;
  readonly title: string;
}

/** A photo or film, and what is known of it. */
export interface PlannedFile {
  readonly entry: ExportEntry;
  /** The folders below the target, and the name, as they may be stored. */
  readonly folders: readonly string[];
  readonly name: string;
  /** Null if the export has no description of it. */
  readonly stated: StatedFacts | null;
  readonly albums: readonly PlannedAlbum[];
  /** Whether the export usually says nothing of dates that are in the files. */
  readonly isDatedByFile?: boolean;
}

/** What whoever starts an import decides. */
export interface PlanOptions {
  /** Whether each folder with photos becomes an album, where the export has no albums of its own. */
  readonly folderAlbums: boolean;
}

/** What is to be stored of an export, and as what. */
export interface ExportPlan {
  readonly files: readonly PlannedFile[];
  readonly notes: readonly PlanNote[];
}

/**
 * Reads texts of an export, and makes of each what the plan needs, so that not all of them are kept. `text` is null for an entry
 * that is damaged or not UTF-8. Those that are too large are not in the result.
 */
export type ReadTexts = <T>(
  entries: readonly ExportEntry[],
  parse: (text: string | null) => T | Promise<T>,
) => Promise<ReadonlyMap<ExportEntry, T>>;

/**
 * Reads the XMP beside photos. Null for one that is damaged or not UTF-8; those that are too large are not in the result.
 */
export type ReadXmp = (entries: readonly ExportEntry[]) => Promise<ReadonlyMap<ExportEntry, StatedFacts | null>>;

/** Where photos are stored that were hidden or locked in the other service. */
export const HIDDEN = 'Hidden';

/** Entries after which other work has its turn: an export may have hundreds of thousands. */
export const TURN = 500;
