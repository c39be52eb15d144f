import { z } from 'zod';
import { handedFile } from '../inherited-file.ts';
import type { Jobs } from '../protocol.ts';

/** Entries of an archive, and files and folders that come out of it: folders that only stand in paths count as well. */
export const MAX_ENTRIES = 100_000;
/** Bytes of all files together. */
export const MAX_UNPACKED = 2 * 1024 ** 3;
/** How many times as large as the archive its content may be, from so many bytes on: little texts pack well. */
export const MAX_RATIO = 100;
export const RATIO_FROM = 10 * 1024 ** 2;

/** Why an archive is not unpacked though it is one, and whole. */
export const HAZARDS = [
  /** A symbolic link, a device, a pipe, a socket. */
  'special',
  /** A path that leads out, or is none: absolute, with `..`, with a backslash, with NUL. */
  'path',
  /** A name that no new file may have: `newNameProblem` says why. */
  'name',
  /** A path with too many folders or bytes for the place where it would lie. */
  'too_deep',
  /** Two entries that some disk takes for one. */
  'duplicate',
  'encrypted',
  'too_many',
  'too_large',
  /** Packed far better than anything honest. */
  'ratio',
  /** Entries that share bytes of the archive. */
  'overlap',
  /** The two descriptions that an entry has in an archive differ, or a content is longer than both. */
  'contradiction',
] as const;

export type Hazard = (typeof HAZARDS)[number];

/** `entry` is which one, as far as it can be said. */
const unsafe = z.object({ hazard: z.enum(HAZARDS), entry: z.string().max(1_000) });

const floats = z.custom<Float64Array>((value) => value instanceof Float64Array);

/** What an archive holds, in its own order, by column. */
const content = z
  .object({
    /** With slashes; that of a folder ends in one. */
    paths: z.array(z.string()).max(MAX_ENTRIES),
    /** Bytes, unpacked and packed. */
    sizes: floats,
    packedSizes: floats,
    crcs: z.custom<Uint32Array>((value) => value instanceof Uint32Array),
    /** Where the entry begins in the archive. */
    offsets: floats,
    /** Milliseconds since the epoch; NaN where nothing sensible is said. */
    times: floats,
  })
  .refine(({ paths, ...columns }) => Object.values(columns).every(({ length }) => length === paths.length));

export type ArchiveContent = z.output<typeof content>;

/** What archive workers do. ZIP only. */
export const archiveJobs = {
  /**
   * Reads the directory of an archive and the head of each of its entries, and holds them against all rules. `maxDepth` is
   * the segments, and `maxPath` the bytes, that a path in it may have.
   */
  check: {
    input: z.object({ archive: handedFile, maxDepth: z.int(), maxPath: z.int() }),
    output: z.union([unsafe, content]),
  },
  /**
   * Unpacks what was checked into `tree`, a name that nobody knows, in the new folder `folder`. Nothing is flushed.
   * `errno` is what a disk said no with.
   */
  unpack: {
    input: z.object({ archive: handedFile, content, folder: z.string(), tree: z.string() }),
    output: z.union([unsafe, z.object({ errno: z.string().max(20) }), z.object({ unpacked: z.literal(true) })]),
  },
} satisfies Jobs;

export type ArchiveJobs = typeof archiveJobs;
