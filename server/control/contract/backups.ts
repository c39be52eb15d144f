import { z } from 'zod';

/** The owner's operations on backups. Sizes are in bytes. */

export const backupProgress = z.object({
  /** Null: nothing is running, or it has just ended. */
  what: z.enum(['backup', 'check', 'removal', 'restore']).nullable(),
  phase: z.enum(['files', 'database', 'history', 'verifying', 'pruning', 'removing']).nullable(),
  /** Of this phase. */
  doneFiles: z.int(),
  doneBytes: z.int(),
  /** An estimate; null if unknown. */
  totalBytes: z.int().nullable(),
});

const backup = z.object({
  name: z.string(),
  /** The absolute path of its folder. */
  path: z.string(),
  madeAt: z.string(),
  /** The version of Larder that made it. */
  larder: z.string(),
  household: z.string(),
  /** Its full size; content shared with other backups counts in each. */
  bytes: z.int(),
  /** Whether it contains the keys, encrypted with a passphrase. */
  keys: z.boolean(),
  files: z
    .object({
      count: z.int(),
      bytes: z.int(),
      /** Of `count`, those that share their content with an earlier backup. */
      linked: z.int(),
      /** Including older versions and the trash. */
      history: z.boolean(),
      /** Written to while they were copied. */
      changed: z.int(),
      /** Could not be copied; the list in the backup has names and reasons. */
      leftOut: z.int(),
      /** Removed or moved while the backup was made. */
      absent: z.int(),
      /** Symbolic links and special files, which are neither followed nor copied. */
      notFollowed: z.int(),
      homes: z.array(
        z.object({
          id: z.string(),
          username: z.string(),
          path: z.string(),
          /** `left-out`: in the trash, which was not requested. */
          state: z.enum(['copied', 'offline', 'left-out']),
        }),
      ),
    })
    .nullable(),
});

const heldBack = z.array(z.object({ name: z.string(), reason: z.string() }));

const passphrase = z.string().max(10_000);
const named = z.strictObject({ name: z.string().max(200) });

export const backupMethods = {
  'backup.make': {
    summary: 'Create a backup in the configured folder; returns when it is complete and verified',
    may: ['owner'],
    input: z.strictObject({
      /** Whether to include people's files; by default as set in `backupFiles`. */
      files: z.boolean().optional(),
      /** Whether to include older versions and the trash of the files; by default as set in `backupHistory`. */
      history: z.boolean().optional(),
      /** Encrypts the keys of this backup; by default the stored passphrase. */
      passphrase: passphrase.optional(),
    }),
    output: backup.extend({
      /** Files not copied as they are: the path in the backup's list, and the reason. At most a thousand. */
      notCopied: z.array(z.object({ path: z.string(), reason: z.string() })),
      /** What it lacks, and other remarks. */
      notes: z.array(z.string()),
      /** Names of backups removed by retention. */
      removed: z.array(z.string()),
      /** Those that retention could not remove, and why. */
      heldBack,
    }),
  },
  'backup.cancel': {
    summary: 'Cancel the running backup, check or restore and remove its partial results',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ cancelled: z.boolean() }),
  },
  'backup.state': {
    summary: 'Get the backup folder, progress and next scheduled backup',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({
      place: z.string(),
      /** Whether its disk is available. */
      placeThere: z.boolean(),
      /** Whether it is the disk Larder itself is on: a failure would take the backups with it. */
      sameDisk: z.boolean(),
      progress: backupProgress,
      /** Null: no schedule, or Larder is not set up yet. */
      due: z.string().nullable(),
      passphraseSet: z.boolean(),
      /** Whether the owner has chosen what is backed up. */
      chosen: z.boolean(),
      /** What scheduled backups include beside accounts, shares and settings. */
      contents: z.object({ files: z.boolean(), history: z.boolean() }),
      /** The newest backup of this installation; null: none, or its disk is unavailable. */
      newest: z.object({ at: z.string(), files: z.boolean() }).nullable(),
      /** Why the last scheduled backup could not be made, or old ones not be removed. */
      attention: z.array(z.string()),
      /** Why the last attempt, scheduled or manual, failed; null if it succeeded. */
      failure: z.object({ at: z.string(), message: z.string() }).nullable(),
      /** Old backups that the last backup could not remove, and why. */
      heldBack,
    }),
  },
  'backup.estimate': {
    summary: 'Get what a backup would consist of, and the space at a destination',
    may: ['owner'],
    input: z.strictObject({
      /** An absolute path that need not exist; by default the configured destination. */
      place: z.string().optional(),
    }),
    output: z.object({
      place: z.string(),
      bytes: z.object({ files: z.int(), history: z.int(), database: z.int() }),
      /** Null where it is unknown. */
      freeBytes: z.int().nullable(),
    }),
  },
  'backup.list': {
    summary: 'List the backups in the configured folder, newest first',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({
      place: z.string(),
      backups: z.array(
        z.object({
          name: z.string(),
          path: z.string(),
          /** Whether this installation made it. Backups of others are never removed automatically. */
          own: z.boolean(),
          /** Null if its manifest is unreadable. */
          backup: backup.nullable(),
          problem: z.string().nullable(),
          /** When it was last verified completely, with the problems found; null: not since it was made. */
          checked: z.object({ at: z.string(), problems: z.array(z.string()) }).nullable(),
        }),
      ),
    }),
  },
  'backup.verify': {
    summary: 'Verify all files and the database of a backup and, with the passphrase, its keys',
    may: ['owner'],
    input: named.extend({ passphrase: passphrase.optional() }),
    output: z.object({ name: z.string(), ok: z.boolean(), problems: z.array(z.string()) }),
  },
  'backup.remove': {
    summary: 'Delete a backup',
    may: ['owner'],
    input: named,
    output: z.object({ name: z.string() }),
  },
  'backup.restore': {
    summary: 'Restore a backup to a new folder as a separate installation; this installation is not changed',
    may: ['owner'],
    input: named.extend({
      /** Absolute; empty or missing. */
      folder: z.string().max(4_000),
      passphrase: passphrase.optional(),
      /** Restores without the keys of the backup: devices have to trust the restored Larder again. */
      newAuthority: z.boolean().default(false),
    }),
    output: z.object({
      folder: z.string(),
      household: z.string(),
      madeAt: z.string(),
      /** `kept`: devices still trust it. */
      authority: z.enum(['kept', 'new']),
      authorityFingerprint: z.string(),
      files: z.int(),
      bytes: z.int(),
      /** Files that are damaged in the backup and were not restored: their paths in its list, and the problem. */
      damaged: z.array(z.object({ path: z.string(), problem: z.string() })),
      homes: z.array(
        z.object({
          username: z.string(),
          path: z.string(),
          /**
           * `empty`: exists without its files; `awaited`: offline until its files are put there; `elsewhere`: unchanged outside
           * of the installation; `forgotten`: it was in the trash, and is not in the backup.
           */
          files: z.enum(['restored', 'empty', 'awaited', 'elsewhere', 'forgotten']),
        }),
      ),
      notes: z.array(z.string()),
    }),
  },
  'backup.setPassphrase': {
    summary: 'Set the passphrase that encrypts keys in new backups; null omits the keys',
    may: ['owner'],
    input: z.strictObject({ passphrase: passphrase.nullable() }),
    output: z.object({ passphraseSet: z.boolean() }),
  },
} as const;
