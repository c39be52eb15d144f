import type { z } from 'zod';
import type { PhotoPart } from '../../catalogue/photos.ts';
import type { PictureSize } from '../../fields/sizes-and-lengths.ts';
import type { FileType } from '../../lib/names/file-types.ts';
import type { markOf } from '../../metadata/marks.ts';
import type { linkDetailsSchema } from '../../weblinks/link-details.ts';
import type { ItemAction } from './item-actions.ts';
import type { ItemPlace } from './listing/shared-roots.ts';

/** An entry of a folder or list, as the pages show it. */
export interface Row extends ItemPlace {
  readonly uuid: string | null;
  readonly name: string;
  readonly isDir: boolean;
  readonly path: string;
  /** The account, if the entry is a person who shares something. */
  readonly personId: number | null;
  readonly type: FileType;
  /** Milliseconds since the epoch; in the list of recent files, when the file came or was changed on the disk. */
  readonly changedAt: number | null;
  /** The modification time, in milliseconds since the epoch, also where another time is shown. */
  readonly modifiedAt: number | null;
  /** Bytes; null for a folder. */
  readonly size: number | null;
  readonly version: number | null;
  readonly hasThumbnail: boolean;
  /** Of a picture or film; null if unknown. */
  readonly pixels: PictureSize | null;
  /** Of a film or music, such as `3:45`; null if unknown. */
  readonly length: string | null;
  /** Of a folder: how many entries it has; null if unknown. */
  readonly entries: number | null;
  readonly label: ReturnType<typeof markOf> | null;
  readonly isLocked: boolean;
  /** Whose lock is on it, or keeps it where it is; absent where the caller is not told. */
  readonly lock?: string;
  /** Shared by its owner, or by the caller. */
  readonly isShared: boolean;
  readonly hasLink: boolean;
  /** In the list of links: its link. */
  readonly link: z.infer<typeof linkDetailsSchema> | null;
  readonly isStarred: boolean;
  /** What cannot be done with it where it is shown, beside what its share does not allow. */
  readonly cannot?: readonly ItemAction[];
  /** For items in the trash: when they were deleted, and their former path. */
  readonly deleted: { readonly at: number; readonly from: string } | null;
  /** Among the photos by time: what it stands for beside itself, in the same folder. */
  readonly parts: readonly PhotoPart[];
  /** When a photo or film was taken, in milliseconds since the epoch; null for what is none. */
  readonly takenAt: number | null;
  /** Whether it is a photo with a film inside. */
  readonly hasFilm: boolean;
}
