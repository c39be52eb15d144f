import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { Database, Transaction } from '../database/database.ts';
import type { Actor, Events } from '../lib/events.ts';
import { isEmailAddress } from '../lib/text/email-address.ts';
import { t } from '../messages/messages.ts';
import { isTileTemplate } from './tile-template.ts';

/** All settings of the owner. One that was never set has its default. */
const settingsSchema = z.object({
  /** §1.1: the API is off until the owner enables it. */
  apiEnabled: z.boolean().default(false),
  /** §1.3: plain HTTP, for testing only. */
  httpTesting: z.boolean().default(false),
  /** Whether apps for Nextcloud can connect, where the API is enabled. */
  nextcloudApps: z.boolean().default(true),
  /** Whether programs can connect by WebDAV, where the API is enabled; apps for Nextcloud need it. */
  webdav: z.boolean().default(true),
  /** Whether apps can upload by tus, where the API is enabled. */
  tus: z.boolean().default(true),
  /** Wrong passwords in a row that deactivate an account. */
  wrongPasswordLimit: z.int().min(3).max(100).default(5),
  /** The base address for mails and for links made outside of a request; empty: not set. */
  baseUrl: z.string().refine(isBaseUrl, t('api.settings.baseUrl')).default(''),
  /**
   * Whether `baseUrl` was reached from here with a valid certificate, or the owner confirmed it: only then requests with its host
   * are answered, and links say that they work everywhere. Another address has to be confirmed again.
   */
  baseUrlConfirmed: z.boolean().default(false),
  /** Days that deleted items stay in the trash; 0: until it is emptied. */
  trashDays: z.int().min(0).max(3_650).default(30),
  /** Minimum length of a password in characters. */
  passwordMinLength: z.int().min(8).max(64).default(10),
  /** Whether the owner can open the control panel from other devices, with password and two-step sign-in. */
  remotePanel: z.boolean().default(false),
  /** Minutes of inactivity after which a browser session ends. */
  sessionMinutes: z.int().min(5).max(1_440).default(30),
  /** How many versions of a file are retained; 0: none, and replaced files go to the trash. */
  versionsKept: z.int().min(0).max(1_000).default(20),
  /** Days that a version is retained; 0: unlimited. */
  versionDays: z.int().min(0).max(36_500).default(0),
  /** Megabytes of cached thumbnails; the least recently used are deleted first. */
  thumbnailMegabytes: z.int().min(16).max(1_000_000).default(2_048),
  /** Days that the activity log reaches back. */
  activityDays: z.int().min(1).max(3_650).default(90),
  /** Absolute paths of folders outside of the data folder in which administrators may create homes. */
  homeLocations: z
    .array(z.string().max(1_000).refine(isFolderPath, t('api.settings.folder')))
    .max(50)
    .default([]),
  /** Addresses and networks of trusted proxies. */
  trustedProxies: z
    .array(z.string().max(50).refine(isNetwork, t('api.settings.network')))
    .max(50)
    .default([]),
  /** Days after which a guest's private link expires and a new one is needed. */
  guestLinkDays: z.int().min(1).max(3_650).default(90),
  /** Days after a guest's last share ended until the guest is deleted; 0: they stay, deactivated. */
  guestsKeptDays: z.int().min(0).max(3_650).default(30),
  /** The absolute path of the backup destination; empty: the default one in the data folder. */
  backupFolder: z
    .string()
    .max(1_000)
    .refine((path) => path === '' || isFolderPath(path), t('api.settings.folderOrEmpty'))
    .default(''),
  /** The backup schedule. */
  backupEvery: z.enum(['never', 'day', 'week']).default('day'),
  /** The hour of the day at which it begins, in the server's local time. */
  backupHour: z.int().min(0).max(23).default(3),
  /** Whether the owner has chosen what is backed up, and where. */
  backupChosen: z.boolean().default(false),
  /** Whether backups include people's files. Larder sets it when it is set up; installations from before that were without. */
  backupFiles: z.boolean().default(false),
  /** Whether backups with files include older versions and the trash. */
  backupHistory: z.boolean().default(false),
  /** How many backups are retained. */
  backupKeep: z.int().min(1).max(1_000).default(7),
  /** The public key, derived from the passphrase, that encrypts keys in backups; null: not set. */
  backupSealing: z
    .object({ publicKey: z.string(), salt: z.string(), memory: z.int(), passes: z.int() })
    .nullable()
    .default(null),
  /** Whether the owner has paused the reading of files whose SHA-256 is not known. */
  hashingPaused: z.boolean().default(false),
  /** Whether browsers may keep the page for when the server cannot be reached. If not, they remove what they have kept. */
  serviceWorker: z.boolean().default(true),
  /** The template of the addresses of map tiles, which browsers load from elsewhere; empty: none, and the map is the outline. */
  mapTileUrl: z
    .string()
    .trim()
    .refine(
      (text) => text === '' || isTileTemplate(text),
      t('api.settings.mapTileUrl', { z: '{z}', x: '{x}', y: '{y}' }),
    )
    .default(''),
  /** Whose map it is, as their terms ask for it. */
  mapTileAttribution: z.string().trim().max(200, t('api.settings.mapTileAttribution')).default(''),
  /** The largest zoom level of the tiles. */
  mapTileZoom: z.int().min(1).max(22).default(19),
  /** Whether the server is announced on the local network. */
  announce: z.boolean().default(true),
  /** The household's name on its pages. */
  householdName: z
    .string()
    .trim()
    .min(1, t('api.settings.householdName'))
    .max(60, t('api.settings.householdName'))
    .default('Larder'),
  /** The owner's mail server; empty: none. */
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
  /** The sender of mails: an address that the mail server may send for. */
  mailFrom: z
    .string()
    .trim()
    .refine((text) => text === '' || isEmailAddress(text), t('api.settings.email'))
    .default(''),
});

/** What settings require of each other when they are changed. */
const completeSchema = settingsSchema.refine(
  ({ mapTileUrl, mapTileAttribution }) => mapTileUrl === '' || mapTileAttribution !== '',
  { path: ['mapTileAttribution'], message: t('api.settings.mapTileAttribution') },
);

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
type SettingKey = keyof SettingsValues;

/** Write-only settings: their values are never returned or logged. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set<SettingKey>(['smtpPassword', 'backupSealing']);

/** Removes write-only settings. */
export function withoutSecrets(
  values: Readonly<Record<string, unknown>>,
  secret: ReadonlySet<string> = SECRET_SETTINGS,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !secret.has(key)));
}

export interface Settings {
  /** A frozen snapshot of all settings. */
  readonly values: SettingsValues;
  /** @throws ZodError for an invalid value */
  check(changes: Partial<SettingsValues>): void;
  /**
   * Stores the given settings only.
   * @param by the actor
   * @param within the transaction to use; by default a new one
   * @throws ZodError for an invalid value; then nothing changes
   */
  update(changes: Partial<SettingsValues>, by: Actor, within?: Transaction): Promise<void>;
}

export async function openSettings(database: Database, events: Events): Promise<Settings> {
  const rows = await database.all<{ key: string; value: string }>('SELECT key, value FROM settings');
  let values: SettingsValues = Object.freeze(
    settingsSchema.parse(Object.fromEntries(rows.map((row) => [row.key, JSON.parse(row.value)]))),
  );

  /** The given settings, as they will be stored. */
  function checked(changes: Partial<SettingsValues>): Partial<SettingsValues> {
    const isMoved = changes.baseUrl !== undefined && changes.baseUrl !== values.baseUrl;
    const all = isMoved && values.baseUrlConfirmed ? { baseUrlConfirmed: false, ...changes } : changes;
    const keys = (Object.keys(all) as SettingKey[]).filter((key) => all[key] !== undefined);
    const given = Object.fromEntries(keys.map((key) => [key, all[key]]));
    const next = completeSchema.parse({ ...values, ...given });
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
      // Merged with the present values, since another change may have been committed meanwhile.
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
