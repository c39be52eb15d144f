import { PLAN_REASONS } from './exports/plan.ts';

/** Why something of an export was not understood, or not brought. */
export const NOTE_REASONS = [
  ...PLAN_REASONS,
  /** The entry is a link or device, leads outside of the archive, or contradicts itself; a folder of the disk has such entries. */
  'unsafe_entry',
  /** Its content is not what the archive states. */
  'damaged',
  /** A file of a folder of the disk, or the archive that has the entry, was changed or removed meanwhile. */
  'changed',
  /** Larder may not, or cannot, read a file or folder of the disk. */
  'unreadable_file',
  /** A ZIP file of a folder of the disk is damaged, or not safe to unpack. */
  'unreadable_archive',
  /** A ZIP file of a folder of the disk has too many entries. */
  'large_archive',
  /** The account may not store files of this type. */
  'type_not_allowed',
  /** The folder is locked by another program or app. */
  'locked',
  /** No name was free, or a folder has the name of a file. */
  'name_taken',
  /** A file of the home with the same size could not be read: it may have the same content. */
  'unread_copy',
  /** The album has as many photos as it can have, or the account as many albums. */
  'album_full',
] as const;

export type NoteReason = (typeof NOTE_REASONS)[number];

/** The reasons for which something is only in the archives, and gone if they are deleted. */
export const LEFT_OUT: readonly NoteReason[] = [
  'other_product',
  'not_photo',
  'nested_archive',
  'unsafe_entry',
  'damaged',
  'changed',
  'unreadable_file',
  'unreadable_archive',
  'large_archive',
  'type_not_allowed',
  'locked',
  'name_taken',
];

export interface Note {
  /** A path in the archives. */
  readonly entry: string;
  readonly reason: NoteReason;
}
