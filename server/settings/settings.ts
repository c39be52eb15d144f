import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { Database, Transaction } from '../database/database.ts';
import type { Actor, Events } from '../lib/events.ts';
import { isEmailAddress } from '../lib/text/email-address.ts';
import { t } from '../messages/messages.ts';

/** Everything the owner can set. A setting that was never set has its default. */
const settingsSchema = z.object({
  /** §1.1: the API is off until the owner enables it. */
  apiEnabled: z.boolean().default(false),
  /** §1.3: plain HTTP, for testing only. */
  httpTesting: z.boolean().default(false),
  /** Wrong passwords in a row that deactivate an account. */
  wrongPasswordLimit: z.int().min(3).max(100).default(5),
  /** The address that mails and links made outside of a request carry; empty: not set. */
  baseUrl: z.string().refine(isBaseUrl, t('api.settings.baseUrl')).default(''),
  /** Days that deleted items stay in the trash; 0 keeps them until somebody empties it. */
  trashDays: z.int().min(0).max(3_650).default(30),
  /** Characters that a password has at least. */
  passwordMinLength: z.int().min(8).max(64).default(10),
  /** Whether the owner can open the control panel from other devices, with password and two-step sign-in. */
  remotePanel: z.boolean().default(false),
  /** Minutes without a visit after which somebody who signed in with a browser has to do so again. */
  sessionMinutes: z.int().min(5).max(1_440).default(30),
  /** Old contents that are kept of a file, the newest ones; 0: none, what is overwritten goes to the trash. */
  versionsKept: z.int().min(0).max(1_000).default(20),
  /** Days that an old content is kept; 0 keeps it however old. */
  versionDays: z.int().min(0).max(36_500).default(0),
  /** Megabytes of thumbnails that are kept; what was shown longest ago goes first. */
  thumbnailMegabytes: z.int().min(16).max(1_000_000).default(2_048),
  /** Days that the activity log reaches back. */
  activityDays: z.int().min(1).max(3_650).default(90),
  /** Folders outside of the appliance's own in which administrators may make homes, by their absolute paths. */
  homePlaces: z
    .array(z.string().max(1_000).refine(isFolderPath, t('api.settings.folder')))
    .max(50)
    .default([]),
  /** Addresses and networks of proxies whose word about visitors counts. */
  trustedProxies: z
    .array(z.string().max(50).refine(isNetwork, t('api.settings.network')))
    .max(50)
    .default([]),
  /** Days that the private link of a guest opens; after that it takes a new one. */
  guestLinkDays: z.int().min(1).max(3_650).default(90),
  /** Days after the end of a guest's last share that the guest is removed; 0 keeps them, deactivated. */
  guestsKeptDays: z.int().min(0).max(3_650).default(30),
  /** The folder that backups are written to, by its absolute path; empty: the one in the appliance's own folder. */
  backupPlace: z
    .string()
    .max(1_000)
    .refine((path) => path === '' || isFolderPath(path), t('api.settings.folderOrEmpty'))
    .default(''),
  /** How often a backup is made by itself. */
  backupEvery: z.enum(['never', 'day', 'week']).default('day'),
  /** The hour of the day at which it begins, where the server stands. */
  backupHour: z.int().min(0).max(23).default(3),
  /** Whether people's files are in it. */
  backupFiles: z.boolean().default(false),
  /** With the files also older versions and the trash. */
  backupHistory: z.boolean().default(false),
  /** Backups that are kept, the newest ones. */
  backupKeep: z.int().min(1).max(1_000).default(7),
  /** What keys are sealed to in backups, made of the passphrase; null: none was set. */
  backupSealing: z
    .object({ publicKey: z.string(), salt: z.string(), memory: z.int(), passes: z.int() })
    .nullable()
    .default(null),
  /** Whether the local network is told that Larder is here. */
  announce: z.boolean().default(true),
  /** What the household calls itself on its pages. */
  householdName: z.string().trim().min(1).max(60).default('Larder'),
  /** The owner's server for mail; empty: none. */
  smtpHost: z
    .string()
    .trim()
    .max(253)
    .regex(/^[A-Za-z0-9.:_-]*$/, t('api.settings.host'))
    .default(''),
  smtpPort: z.int().min(1).max(65_535).default(587),
  /** `tls` from the first byte, `starttls` before the password, or `none`: for a server on this computer only. */
  smtpSecurity: z.enum(['tls', 'starttls', 'none']).default('starttls'),
  smtpUsername: z.string().max(320).default(''),
  smtpPassword: z.string().max(1_000).default(''),
  /** Whom mails are from: an address that the server may send for. */
  mailFrom: z
    .string()
    .trim()
    .refine((text) => text === '' || isEmailAddress(text), t('api.settings.email'))
    .default(''),
});

function isFolderPath(path: string): boolean {
  return (
    isAbsolute(path) && !/\p{Cc}/u.test(path) && !path.split(/[\\/]/).some((part) => part === '.' || part === '..')
  );
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function isBaseUrl(text: string): boolean {
  if (text === '') return true;
  if (!/^https:\/\/[^\s\\@?#]+$/.test(text) || !URL.canParse(text)) return false;
  return text.length <= 500;
}

export type SettingsValues = z.infer<typeof settingsSchema>;
export type SettingKey = keyof SettingsValues;

/** The settings that are for the server only: their values are never told, nor written into a log. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set<SettingKey>(['smtpPassword', 'backupSealing']);

/** Of some settings those that may be told. */
export function withoutSecrets(
  values: Readonly<Record<string, unknown>>,
  secret: ReadonlySet<string> = SECRET_SETTINGS,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !secret.has(key)));
}

export interface Settings {
  /** A frozen snapshot of all of them. */
  readonly values: SettingsValues;
  /** @throws ZodError for a value that does not fit */
  check(changes: Partial<SettingsValues>): void;
  /**
   * Stores what is given and leaves the rest.
   * @param by who changes them
   * @param within the transaction to do it in; one of its own unless given
   * @throws ZodError for a value that does not fit; then nothing changes
   */
  update(changes: Partial<SettingsValues>, by: Actor, within?: Transaction): Promise<void>;
}

export async function openSettings(database: Database, events: Events): Promise<Settings> {
  const rows = await database.all<{ key: string; value: string }>('SELECT key, value FROM settings');
  let values: SettingsValues = Object.freeze(
    settingsSchema.parse(Object.fromEntries(rows.map((row) => [row.key, JSON.parse(row.value)]))),
  );

  /** What is given, as it will be stored. */
  function checked(changes: Partial<SettingsValues>): Partial<SettingsValues> {
    const keys = (Object.keys(changes) as SettingKey[]).filter((key) => changes[key] !== undefined);
    const given = Object.fromEntries(keys.map((key) => [key, changes[key]]));
    const next = settingsSchema.parse({ ...values, ...given });
    return Object.fromEntries(keys.map((key) => [key, next[key]]));
  }

  async function store(changes: Partial<SettingsValues>, by: Actor, tx: Transaction): Promise<void> {
    for (const [key, value] of Object.entries(changes)) {
      await tx.run(
        'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        [key, JSON.stringify(value)],
      );
    }
    tx.afterCommit(() => {
      // Upon what stands there now: another change may have been committed in between.
      values = Object.freeze({ ...values, ...changes });
      events.emit('settings.changed', { actor: by, keys: Object.keys(changes), values: withoutSecrets(changes) });
    });
  }

  return {
    get values() {
      return values;
    },
    check: (changes) => {
      checked(changes);
    },
    async update(changes, by, within) {
      const next = checked(changes);
      await (within === undefined ? database.write((tx) => store(next, by, tx)) : store(next, by, within));
    },
  };
}
