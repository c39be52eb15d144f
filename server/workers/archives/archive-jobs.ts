import { z } from 'zod';
import { MAX_EMBEDDED_DESCRIPTION, MAX_EMBEDDED_VALUE, MAX_EMBEDDED_VALUES } from '../embedded/jobs.ts';
import { inheritedFile } from '../inherited-file.ts';
import type { Jobs } from '../protocol.ts';

/** Entries of an archive, and files and folders it extracts to, including folders that appear only in paths. */
export const MAX_ENTRIES = 100_000;
/** Bytes of all files together. */
export const MAX_UNPACKED = 2 * 1024 ** 3;
/** The maximum ratio of content to archive size, checked above so many bytes, because small texts compress well. */
export const MAX_RATIO = 100;
export const RATIO_FROM = 10 * 1024 ** 2;

/** Why an intact archive is not extracted. */
const HAZARDS = [
  /** A symbolic link, a device, a pipe, a socket. */
  'special',
  /** A path that leads outside: absolute, with a drive, or with `..`. */
  'path',
  /** A name that is not allowed for new files: `newNameProblem` says why. */
  'name',
  /** A path with too many folders or bytes for its destination. */
  'too_deep',
  /** Two entries that some file system treats as equal. */
  'duplicate',
  'encrypted',
  'too_many',
  'too_large',
  /** A compression ratio that no honest archive reaches. */
  'ratio',
  /** Entries that share bytes of the archive. */
  'overlap',
  /** The two descriptions of an entry in the archive differ, or a content is longer than both state. */
  'contradiction',
] as const;

export type Hazard = (typeof HAZARDS)[number];

/** `entry` is the offending one, if known. */
const unsafe = z.object({ hazard: z.enum(HAZARDS), entry: z.string().max(1_000) });

const floats = z.custom<Float64Array>((value) => value instanceof Float64Array);

/** What an archive has, in its own order, as columns. */
const columns = z.object({
  /** With slashes. */
  paths: z.array(z.string()),
  /** Bytes, uncompressed and compressed. */
  sizes: floats,
  packedSizes: floats,
  crcs: z.custom<Uint32Array>((value) => value instanceof Uint32Array),
  /** Offsets of the entries in the archive. */
  offsets: floats,
  /** Milliseconds since the epoch; NaN if unknown. */
  times: floats,
});

/** The contents of an archive. The paths of folders end in a slash. */
const content = columns
  .extend({
    /** Offsets of entries that are not extracted: the folder that contains everything, and what macOS adds. */
    leftOut: floats,
    /** Whether there is no entry for the folder that contains everything: the extracting library refuses a whole archive for it. */
    isForLibrary: z.boolean(),
  })
  .refine(haveOneLength)
  .refine(({ paths }) => paths.length <= MAX_ENTRIES);

export type ArchiveContent = z.output<typeof content>;

/** Bytes of all files of an archive from which some are taken: those of other services have up to 50 GB. */
export const MAX_LISTED = 64 * 1024 ** 3;
/** Entries of such an archive: a part of 50 GB with small pictures has many. Their list has to fit into the memory of a worker. */
export const MAX_LISTED_ENTRIES = 400_000;
/** Texts that one job reads, and bytes of each. A list of all photos of an export has some megabytes. */
export const MAX_TEXTS = 500;
export const MAX_TEXT = 4 * 1024 ** 2;
/** Entries that one job unpacks. */
export const MAX_TAKEN = 64;

/** The files of an archive from which some are taken. Names in it may be ones that new files cannot have; none leads up. */
const listing = columns
  .extend({
    /** Entries that must not be taken. */
    refused: z.array(unsafe).max(MAX_LISTED_ENTRIES),
  })
  .refine(haveOneLength)
  .refine(({ paths }) => paths.length <= MAX_LISTED_ENTRIES);

export type ArchiveListing = z.output<typeof listing>;

function haveOneLength({ paths, sizes, packedSizes, crcs, offsets, times }: z.output<typeof columns>): boolean {
  return [sizes, packedSizes, crcs, offsets, times].every(({ length }) => length === paths.length);
}

const size = z.int().nonnegative();

/** An entry, as it was listed. */
const listedEntry = z.object({ offset: size, size, packedSize: size, crc: size });

export type ListedEntry = z.output<typeof listedEntry>;

/** Jobs of archive workers. ZIP only. */
export const archiveJobs = {
  /**
   * Reads the directory of an archive and the header of each entry, and checks all rules. `maxDepth` is the number of segments,
   * and `maxPath` the number of bytes, a path in it may have.
   */
  check: {
    input: z.object({ archive: inheritedFile, maxDepth: z.int(), maxPath: z.int() }),
    output: z.union([unsafe, content]),
  },
  /**
   * Extracts a checked archive into `tree`, an unguessable name, in the new folder `folder`. Nothing is flushed. `errno` is the
   * error of the disk.
   */
  unpack: {
    input: z.object({ archive: inheritedFile, content, folder: z.string(), tree: z.string() }),
    output: z.union([unsafe, z.object({ errno: z.string().max(20) }), z.object({ unpacked: z.literal(true) })]),
  },
  /**
   * Reads the directory of an archive and the header of each entry. What concerns a single entry, such as its path, is reported;
   * an archive that is unsafe as a whole is refused.
   */
  list: {
    input: z.object({ archive: inheritedFile }),
    output: z.union([unsafe, listing]),
  },
  /** Reads small texts of a listed archive. Null for one that is damaged, or is not UTF-8. */
  texts: {
    input: z.object({ archive: inheritedFile, entries: z.array(listedEntry).max(MAX_TEXTS) }),
    output: z.object({ texts: z.array(z.string().max(MAX_TEXT).nullable()).max(MAX_TEXTS) }),
  },
  /** Reads a file of XMP beside a photo, whose text is given: what is no XMP says nothing. */
  xmp: {
    input: z.object({ text: z.string().max(MAX_TEXT) }),
    output: z.object({
      /** Milliseconds since 1970. */
      takenAt: z.int().nullable(),
      place: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }).nullable(),
      title: z.string().max(MAX_EMBEDDED_VALUE),
      description: z.string().max(MAX_EMBEDDED_DESCRIPTION),
      keywords: z.array(z.string().max(MAX_EMBEDDED_VALUE)).max(MAX_EMBEDDED_VALUES),
    }),
  },
  /**
   * Unpacks entries of a listed archive into the folder `folder`, each under its position in the list. Nothing is flushed.
   * @returns for each whether it was intact; `errno` is an error of the disk
   */
  take: {
    input: z.object({ archive: inheritedFile, entries: z.array(listedEntry).max(MAX_TAKEN), folder: z.string() }),
    output: z.union([
      z.object({ errno: z.string().max(20) }),
      z.object({ intact: z.array(z.boolean()).max(MAX_TAKEN) }),
    ]),
  },
} satisfies Jobs;

export type ArchiveJobs = typeof archiveJobs;
