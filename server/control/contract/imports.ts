import { z } from 'zod';

/** The owner's imports of photos from folders of this computer. Sizes are in bytes. */

/** Long enough for every path of any system. */
const folder = z.string().max(4_096);
const accountId = z.int().positive();
const named = z.strictObject({ import: z.uuid() });

/** Whether each folder with photos becomes an album, where the export has no albums of its own. */
const folderAlbums = z.boolean().default(false);

const noteReason = z.string();

const folderImport = z.object({
  import: z.uuid(),
  /** Absolute. */
  folder: z.string(),
  account: z.object({ id: z.int(), username: z.string(), name: z.string() }),
  /** Below My Files, with slashes. */
  target: z.string(),
  folderAlbums: z.boolean(),
  /** `cancelled` and `failed` ones can be resumed. */
  state: z.enum(['waiting', 'running', 'done', 'cancelled', 'failed']),
  /** Why it failed, as a code of the API. */
  failure: z.string().nullable(),
  created: z.string(),
  ended: z.string().nullable(),
  /** Photos and films; null until the folder was read. */
  total: z.int().nullable(),
  handled: z.int(),
  stored: z.int(),
  known: z.int(),
  inAlbums: z.int(),
  undated: z.int(),
});

export const importMethods = {
  'imports.examine': {
    summary:
      'Examine a folder of this computer with exports of photos: what an import of it would store; changes nothing',
    may: ['owner'],
    input: z.strictObject({ folder, accountId, folderAlbums }),
    output: z.object({
      folder: z.string(),
      /** Of which services the exports are; `other`: photos that no export describes. */
      services: z.array(z.enum(['google', 'icloud', 'other'])),
      /** ZIP files, and unpacked exports. */
      archives: z.int(),
      unpacked: z.int(),
      /** Photos and films, and their size. */
      files: z.int(),
      bytes: z.int(),
      undated: z.int(),
      albums: z.int(),
      /** How many parts are missing, with the names that some of them usually have. */
      missingCount: z.int(),
      missing: z.array(z.string()),
      /** What would not be imported, and other remarks: how many entries, and the first of them. */
      notes: z.array(z.object({ reason: noteReason, count: z.int(), entries: z.array(z.string()) })),
      /** What the account may still store, and what the disk of its home has; null for no limit, or if it is unknown. */
      quotaLeft: z.int().nullable(),
      diskFree: z.int().nullable(),
    }),
  },
  'imports.cancelExamination': {
    summary: 'Stop reading a folder for "imports.examine"',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ cancelled: z.boolean() }),
  },
  'imports.start': {
    summary: 'Import photos from a folder of this computer into the files of an account; returns at once',
    may: ['owner'],
    input: z.strictObject({
      folder,
      accountId,
      /** Below My Files, with slashes; created if it is missing. */
      target: z.string().max(1_000).default('Photos'),
      folderAlbums,
    }),
    output: folderImport,
  },
  'imports.list': {
    summary: 'List imports from folders of this computer, newest first',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ imports: z.array(folderImport) }),
  },
  'imports.report': {
    summary: 'Get what an import did not understand or store: each entry with the reason',
    may: ['owner'],
    input: named.extend({
      start: z.int().nonnegative().default(0),
      limit: z.int().min(1).max(1_000).default(500),
    }),
    output: z.object({ total: z.int(), notes: z.array(z.object({ entry: z.string(), reason: noteReason })) }),
  },
  'imports.cancel': {
    summary: 'Stop an import; what is stored stays, and it can be resumed',
    may: ['owner'],
    input: named,
    output: z.object({ import: z.uuid() }),
  },
  'imports.resume': {
    summary: 'Continue an import that was stopped or failed',
    may: ['owner'],
    input: named,
    output: z.object({ import: z.uuid() }),
  },
} as const;
