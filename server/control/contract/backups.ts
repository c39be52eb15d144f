import { z } from 'zod';

/** What the owner can do about backups. Sizes are bytes. */

export const backupProgress = z.object({
  /** Null: nothing is under way, or it has just come to its end. */
  what: z.enum(['backup', 'check', 'removal', 'restore']).nullable(),
  phase: z.enum(['files', 'database', 'history', 'verifying', 'pruning', 'removing']).nullable(),
  /** Of this phase. */
  doneFiles: z.int(),
  doneBytes: z.int(),
  /** As far as it can be said beforehand. */
  totalBytes: z.int().nullable(),
});

const backup = z.object({
  name: z.string(),
  /** The folder that it is, absolute. */
  path: z.string(),
  madeAt: z.string(),
  /** The version of Larder that made it. */
  larder: z.string(),
  household: z.string(),
  /** All of it; what it shares with others is counted in each. */
  bytes: z.int(),
  /** Whether the keys are in it, sealed with a passphrase. */
  keys: z.boolean(),
  files: z
    .object({
      count: z.int(),
      bytes: z.int(),
      /** Of `count`, those that share their content with an earlier backup. */
      linked: z.int(),
      /** Older versions and the trash as well. */
      history: z.boolean(),
      /** Written to by somebody while they were copied. */
      changed: z.int(),
      /** That could not be copied; the list in the backup says which and why. */
      leftOut: z.int(),
      /** Removed, or moved on, while the backup was made. */
      absent: z.int(),
      /** Symbolic links and special files, which are neither followed nor copied. */
      notFollowed: z.int(),
      homes: z.array(
        z.object({
          id: z.string(),
          username: z.string(),
          path: z.string(),
          /** `left-out`: in the trash, which was not asked for. */
          state: z.enum(['copied', 'offline', 'left-out']),
        }),
      ),
    })
    .nullable(),
});

const passphrase = z.string().max(10_000);
const named = z.strictObject({ name: z.string().max(200) });

export const backupMethods = {
  'backup.make': {
    summary: 'Make a backup now, in the place that is set; answers when it is there, whole and verified',
    may: ['owner'],
    input: z.strictObject({
      /** People's files as well; as set in `backupFiles` unless given. */
      files: z.boolean().optional(),
      /** With the files older versions and the trash; as set in `backupHistory` unless given. */
      history: z.boolean().optional(),
      /** Seals the keys of this one; the passphrase that was set unless given. */
      passphrase: passphrase.optional(),
    }),
    output: backup.extend({
      /** What could not be copied as it is: its path in the list of the backup, and why. The first thousand. */
      notCopied: z.array(z.object({ path: z.string(), reason: z.string() })),
      /** What is not in it, and what else is worth knowing. */
      notes: z.array(z.string()),
      /** Names of those that were too many. */
      removed: z.array(z.string()),
    }),
  },
  'backup.cancel': {
    summary: 'End the backup, check or restore that is under way; nothing of it is left',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ cancelled: z.boolean() }),
  },
  'backup.state': {
    summary: 'Where backups go, what is under way, and when the next one is due',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({
      place: z.string(),
      /** Whether its disk is there. */
      placeThere: z.boolean(),
      /** Whether it is the disk that Larder itself is on: then backups are gone together with it. */
      sameDisk: z.boolean(),
      progress: backupProgress,
      /** Null: never by itself, or not before Larder is set up. */
      due: z.string().nullable(),
      passphraseSet: z.boolean(),
      /** Why the last one that was due could not be made. */
      attention: z.array(z.string()),
      /** Why the last one that was tried, when due or by hand, could not be made; null when it could. */
      failure: z.object({ at: z.string(), message: z.string() }).nullable(),
    }),
  },
  'backup.list': {
    summary: 'The backups in the place that is set, the newest first',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({
      place: z.string(),
      backups: z.array(
        z.object({
          name: z.string(),
          path: z.string(),
          /** Whether this installation made it. Others are never removed to make room. */
          own: z.boolean(),
          /** Null for one that does not say what is in it any more. */
          backup: backup.nullable(),
          problem: z.string().nullable(),
          /** When all of it was last opened, and what was wrong then; null: not since it was made, and verified. */
          checked: z.object({ at: z.string(), problems: z.array(z.string()) }).nullable(),
        }),
      ),
    }),
  },
  'backup.verify': {
    summary: 'Open all of a backup: every file, the database, and with the passphrase the keys',
    may: ['owner'],
    input: named.extend({ passphrase: passphrase.optional() }),
    output: z.object({ name: z.string(), ok: z.boolean(), problems: z.array(z.string()) }),
  },
  'backup.remove': {
    summary: 'Remove a backup',
    may: ['owner'],
    input: named,
    output: z.object({ name: z.string() }),
  },
  'backup.restore': {
    summary: 'Make another installation of a backup, in a new folder of this computer; nothing of this one is touched',
    may: ['owner'],
    input: named.extend({
      /** Absolute; empty or not there. */
      folder: z.string().max(4_000),
      passphrase: passphrase.optional(),
      /** Also without the keys that the backup has: devices have to trust the restored Larder anew. */
      newAuthority: z.boolean().default(false),
    }),
    output: z.object({
      folder: z.string(),
      household: z.string(),
      madeAt: z.string(),
      /** `kept`: devices go on trusting it. */
      authority: z.enum(['kept', 'new']),
      authorityFingerprint: z.string(),
      files: z.int(),
      bytes: z.int(),
      /** Files that are damaged in the backup and were not restored: their paths as in its list, and what is wrong. */
      damaged: z.array(z.object({ path: z.string(), problem: z.string() })),
      homes: z.array(
        z.object({
          username: z.string(),
          path: z.string(),
          /**
           * `empty`: there without its files; `awaited`: offline until its files are put there; `elsewhere`: outside of the
           * installation, where it was, and not touched; `forgotten`: in the trash, and not in the backup.
           */
          files: z.enum(['restored', 'empty', 'awaited', 'elsewhere', 'forgotten']),
        }),
      ),
      notes: z.array(z.string()),
    }),
  },
  'backup.setPassphrase': {
    summary: 'Set what the keys in backups are sealed with from now on; null: they are left out',
    may: ['owner'],
    input: z.strictObject({ passphrase: passphrase.nullable() }),
    output: z.object({ passphraseSet: z.boolean() }),
  },
} as const;
