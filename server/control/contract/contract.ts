import { z } from 'zod';
import { aboutMethods } from './about.ts';
import { accountMethods } from './accounts.ts';
import { backupMethods } from './backups.ts';
import { homeProgress, trafficSample } from './events.ts';
import { importMethods } from './imports.ts';
import { metadataMethods } from './metadata.ts';
import { peopleMethods } from './people.ts';
import { referenceMethods } from './reference.ts';
import { sharesAndLinksMethods } from './shares-and-links.ts';

/**
 * The owner's operations by name: input, output, and permitted callers. One contract for the window, the panel in a browser, and
 * the command line.
 */

/** `owner`: holders of the control token or the folder. `first-run`: the same, while there is no owner account yet. */
export type Caller = 'owner' | 'first-run';

const settings = z.object({
  apiEnabled: z.boolean(),
  httpTesting: z.boolean(),
  nextcloudApps: z.boolean(),
  webdav: z.boolean(),
  tus: z.boolean(),
  wrongPasswordLimit: z.int(),
  baseUrl: z.string(),
  baseUrlConfirmed: z.boolean(),
  announce: z.boolean(),
  serviceWorker: z.boolean(),
  mapTileUrl: z.string(),
  mapTileAttribution: z.string(),
  mapTileZoom: z.int(),
  trashDays: z.int(),
  passwordMinLength: z.int(),
  remotePanel: z.boolean(),
  sessionMinutes: z.int(),
  versionsKept: z.int(),
  versionDays: z.int(),
  guestLinkDays: z.int(),
  guestsKeptDays: z.int(),
  householdName: z.string(),
  smtpHost: z.string(),
  smtpPort: z.int(),
  smtpSecurity: z.enum(['tls', 'starttls', 'none']),
  smtpUsername: z.string(),
  mailFrom: z.string(),
  activityDays: z.int(),
  thumbnailMegabytes: z.int(),
  homeLocations: z.array(z.string()),
  trustedProxies: z.array(z.string()),
  backupFolder: z.string(),
  backupEvery: z.enum(['never', 'day', 'week']),
  backupHour: z.int(),
  backupChosen: z.boolean(),
  backupFiles: z.boolean(),
  backupHistory: z.boolean(),
  backupKeep: z.int(),
  hashingPaused: z.boolean(),
});

/** Can be set, but is never returned. */
const secretSettings = z.object({ smtpPassword: z.string() });

/** Earlier names, which scripts may still use. */
const formerSettings = z.object({ homePlaces: settings.shape.homeLocations, backupPlace: settings.shape.backupFolder });

const shownSettings = settings.extend({ smtpPasswordSet: z.boolean(), backupPassphraseSet: z.boolean() });

const client = z.object({
  clientId: z.string(),
  name: z.string(),
  public: z.boolean(),
  redirectUris: z.array(z.string()),
  publisher: z.string(),
  website: z.string(),
  hasLogo: z.boolean(),
  createdAt: z.string(),
  /** A disabled client gets nothing; what people allowed it is retained until it is enabled again. */
  enabled: z.boolean(),
});

/** What the owner may enter about a client beside its name, for the consent page. */
const clientDetails = z.strictObject({
  publisher: z.string().optional(),
  website: z.string().optional(),
  /** An image file in base64; null removes it. */
  logo: z.base64().nullable().optional(),
});

const activityGroup = z.enum(['security', 'files', 'sharing', 'system']);

/** Names are those at the time of the event. */
const activityEntry = z.object({
  id: z.int(),
  at: z.string(),
  kind: z.string(),
  group: activityGroup,
  accountId: z.int().nullable(),
  username: z.string().nullable(),
  clientId: z.string().nullable(),
  client: z.string().nullable(),
  /** `larder` for actions of the server itself. */
  channel: z.enum(['app', 'page', 'link', 'webdav', 'control', 'larder']),
  address: z.string().nullable(),
  /** A path, or the name of a person or an app. */
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
});

const setupInput = z.strictObject({
  owner: z.string(),
  name: z.string().optional(),
  password: z.string(),
  enableApi: z.boolean().default(false),
  householdName: z.string().optional(),
  /** The absolute path of a folder with files that becomes the owner's home as it is. Without it, an empty one is created. */
  homeFolder: z.string().optional(),
});

const report = z.object({
  ok: z.boolean(),
  /** What the owner must act on: each states the problem and what to do. */
  problems: z.array(z.string()),
  /** Other remarks. */
  notes: z.array(z.string()),
  /** Those of the problems that "repair" would fix; if repair was not requested. */
  repairable: z.array(z.string()).optional(),
  /** What was fixed; if repair was requested. */
  repaired: z.array(z.string()).optional(),
});

export const contract = {
  status: {
    summary: "Get the server's status, addresses and problems",
    may: ['owner', 'first-run'],
    input: z.strictObject({}),
    output: z.object({
      version: z.string(),
      /** The command line on this computer, such as `larder`, or `node dist/server/larder.cjs`. */
      command: z.string(),
      folder: z.string(),
      running: z.boolean(),
      hasOwner: z.boolean(),
      addresses: z.array(z.string()),
      httpAddresses: z.array(z.string()),
      fingerprint: z.string(),
      authorityFingerprint: z.string(),
      certificateEnds: z.string(),
      certificateSource: z.enum(['household', 'own']),
      apiEnabled: z.boolean(),
      httpTesting: z.boolean(),
      /** For each home; empty while no server runs. */
      catalogue: z.array(homeProgress),
      /** Files and folders in all homes, without deleted ones. */
      items: z.int(),
      /** The disk of the data folder, then those of homes outside of it that are connected. In bytes; `path` is on that disk. */
      disks: z.array(z.object({ path: z.string(), free: z.number(), size: z.number() })),
      /** Files in the full-text index: indexed, waiting, and failed. */
      texts: z.object({ indexed: z.int(), waiting: z.int(), failed: z.int() }),
      /** The same for embedded metadata. */
      embedded: z.object({ indexed: z.int(), waiting: z.int(), failed: z.int() }),
      attention: z.array(z.string()),
    }),
  },
  setup: {
    summary: 'Create the owner account of a new installation',
    may: ['first-run'],
    input: setupInput,
    output: z.object({ id: z.int(), username: z.string(), home: z.string(), apiEnabled: z.boolean() }),
  },
  'setup.check': {
    summary: 'Check what would be given to "setup", as far as it is there; changes nothing',
    may: ['first-run'],
    input: setupInput.partial(),
    /** Every problem, by its field. */
    output: z.object({ problems: z.partialRecord(setupInput.keyof(), z.string()) }),
  },
  'settings.get': {
    summary: 'Get all settings',
    may: ['owner'],
    input: z.strictObject({}),
    output: shownSettings,
  },
  'settings.update': {
    summary: 'Change settings; omitted settings remain unchanged',
    may: ['owner'],
    input: settings
      .extend({ ...secretSettings.shape, ...formerSettings.shape })
      .partial()
      .strict(),
    output: shownSettings,
  },
  'outside.check': {
    summary: 'Call this server at its address on the internet, and confirm the address if that works',
    may: ['owner'],
    input: z.strictObject({ address: z.string().max(500) }),
    output: z.object({
      /** `reached` with a valid certificate; `warned`: with one that browsers warn about; `other`: something else replies. */
      verdict: z.enum(['reached', 'warned', 'other', 'unreachable']),
      /** Why, as the network says it; empty for `reached` and `other`. */
      reason: z.string(),
    }),
  },
  'mail.test': {
    summary: 'Send a test email',
    may: ['owner'],
    input: z.strictObject({ to: z.email() }),
    output: z.object({ to: z.string() }),
  },
  'clients.list': {
    summary: 'List registered clients',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({
      clients: z.array(client.extend({ people: z.int(), lastUsedAt: z.string().nullable() })),
    }),
  },
  'clients.add': {
    summary: "Register a client. A confidential client's secret is shown once.",
    may: ['owner'],
    input: clientDetails.extend({
      name: z.string(),
      redirectUris: z.array(z.string()).default([]),
      public: z.boolean().default(false),
    }),
    output: client.extend({ clientSecret: z.string().nullable() }),
  },
  'clients.update': {
    summary: "Change a client's registration",
    may: ['owner'],
    input: clientDetails.extend({
      clientId: z.string(),
      name: z.string().optional(),
      redirectUris: z.array(z.string()).optional(),
      enabled: z.boolean().optional(),
    }),
    output: client,
  },
  'clients.replaceSecret': {
    summary: "Replace a client's secret. It is shown once; the old one stops working.",
    may: ['owner'],
    input: z.strictObject({ clientId: z.string() }),
    output: z.object({ clientId: z.string(), clientSecret: z.string() }),
  },
  'clients.remove': {
    summary: 'Delete a client and revoke its authorizations',
    may: ['owner'],
    input: z.strictObject({ clientId: z.string() }),
    output: z.object({ clientId: z.string() }),
  },
  ...accountMethods,
  ...peopleMethods,
  ...metadataMethods,
  ...referenceMethods,
  ...aboutMethods,
  ...sharesAndLinksMethods,
  'thumbnails.get': {
    summary: 'Get the number and total size of stored thumbnails',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ files: z.int(), bytes: z.int() }),
  },
  'thumbnails.clear': {
    summary: 'Delete all thumbnails and records of failed ones; they are created again on demand',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ bytes: z.int() }),
  },
  ...backupMethods,
  ...importMethods,
  'activity.list': {
    summary: 'List activity, newest first',
    may: ['owner'],
    input: z.strictObject({
      /** `next` of the previous page. */
      before: z.int().positive().optional(),
      limit: z.int().min(1).max(500).default(100),
      accountId: z.int().optional(),
      group: activityGroup.optional(),
      kinds: z.array(z.string().max(100)).min(1).max(100).optional(),
      since: z.iso.datetime({ offset: true }).optional(),
      /** Exclusive. */
      until: z.iso.datetime({ offset: true }).optional(),
      /** A part of a path, a name or an address, in any case. */
      text: z.string().max(200).optional(),
    }),
    output: z.object({ entries: z.array(activityEntry), next: z.int().nullable() }),
  },
  'certificate.get': {
    summary: "Get the household's CA certificate to install on devices",
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ pem: z.string(), fingerprint: z.string() }),
  },
  'traffic.get': {
    summary: 'Get the traffic of the last three minutes and the start time of the server',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ since: z.string(), samples: z.array(trafficSample) }),
  },
  'hashing.get': {
    summary: 'Get what is left of the files whose SHA-256 is computed in the background',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({
      /** `paused`: by the setting "hashingPaused"; `battery`: while this computer runs on it; `off`: by LARDER_HASH_RATE. */
      state: z.enum(['working', 'done', 'paused', 'battery', 'off']),
      files: z.int(),
      bytes: z.int(),
    }),
  },
  'panel.link': {
    summary: 'Create a single-use link to the control panel, valid for ten minutes',
    may: ['owner', 'first-run'],
    input: z.strictObject({}),
    output: z.object({ url: z.string(), expires: z.string() }),
  },
  doctor: {
    summary: 'Check the installation; "repair" fixes what cannot lose data',
    may: ['owner', 'first-run'],
    input: z.strictObject({ repair: z.boolean().default(false) }),
    output: report,
  },
} as const satisfies Record<string, Method>;

interface Method {
  readonly summary: string;
  readonly may: readonly Caller[];
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

export type Contract = typeof contract;
export type MethodName = keyof Contract;
export type Input<Name extends MethodName> = z.input<Contract[Name]['input']>;
export type CheckedInput<Name extends MethodName> = z.output<Contract[Name]['input']>;
export type Output<Name extends MethodName> = z.output<Contract[Name]['output']>;

/** The form of a refused call on every transport. */
export const controlFailure = z.object({
  error: z.string(),
  code: z.enum(['unknown_method', 'invalid_input', 'not_allowed', 'refused', 'internal_error']),
  /** The invalid input, if there is one. */
  field: z.string().optional(),
});

export type ControlFailure = z.infer<typeof controlFailure>;
