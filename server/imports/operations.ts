import { z } from 'zod';
import { homePathOf } from '../access/access.ts';
import { operationsFor } from '../http/operation.ts';
import { flag, integer, uuid, virtualPath, virtualPaths } from '../http/request/parameters.ts';
import { isoSeconds } from '../lib/datetime.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import {
  addImport,
  cancelImport,
  type ImportChangesContext,
  MAX_ARCHIVES,
  ownImport,
  ownImports,
  resumeImport,
} from './change-imports.ts';
import { IMPORT_STATES, type ImportRecord } from './imports.ts';
import { NOTE_REASONS } from './reasons.ts';

const { json } = operationsFor<Principal, Scope>();

/** The folder for photos, where there is no other wish. */
export const DEFAULT_TARGET = ['ROOT', 'HOME', 'Photos'] as const;
/** Notes in one reply. */
const MAX_NOTES = 1_000;

const count = z.int().nonnegative();

const importSchema = z.object({
  import: z.uuid(),
  state: z
    .enum(IMPORT_STATES)
    .describe('`waiting` for its turn, or `running`; `cancelled` and `failed` ones can be resumed.'),
  failure: z.string().nullable().describe('For a failed one, the code of the error.'),
  target: z.string().describe('The folder in which photos and films are stored.'),
  byOwner: z
    .boolean()
    .describe('Whether the owner of the installation started it, from a folder of the disk: only they can resume it.'),
  folderAlbums: z.boolean().describe('Whether folders of photos become albums.'),
  created: z.string(),
  ended: z.string().nullable(),
  total: count.nullable().describe('Photos and films in the archives; null until they were read.'),
  handled: count.describe('How many of them are finished.'),
  stored: count,
  known: count.describe('Not stored, because their content was in the home already.'),
  inAlbums: count.describe('How often one was listed in an album.'),
  undated: count.describe('Those that were stored, and for which the export has no date.'),
});

const noteSchema = z.object({
  entry: z.string().describe('A path in the archives.'),
  reason: z.enum(NOTE_REASONS),
});

const importName = () => uuid().describe('The uuid of the import.');

export const importOperations = (context: ImportChangesContext) => [
  json({
    path: 'imports/add',
    methods: ['POST'],
    scopes: ['upload', 'modify'],
    summary: 'Import photos from Google or iCloud',
    description:
      'Imports photos and films from the ZIP archives of a Google Takeout, or of the copy of iCloud Photos that Apple provides. The archives must be in the own home, all of them together. The reply comes at once, and the work goes on in the background, also after a restart.\n\nPhotos and films are stored unchanged in folders below `target`, with the time at which they were taken as modification time. Descriptions and places become metadata, favourites get a star, and the albums of the export become albums of the account. Nothing is stored whose content is in the own home already; it is only listed in albums.',
    params: z.object({
      paths: virtualPaths(MAX_ARCHIVES).describe('Virtual paths of the archives.'),
      target: virtualPath()
        .default([...DEFAULT_TARGET])
        .describe('A folder of the own home; it is created if it is missing. By default /ROOT/HOME/Photos.'),
      folderAlbums: flag()
        .default(false)
        .describe(
          'Whether each folder with photos becomes an album, in archives without albums of their own: those of Photos on a Mac, and of photos without descriptions.',
        ),
    }),
    data: importSchema,
    run: async ({ params: { paths, target, folderAlbums }, principal }) =>
      reply(await addImport(context, principal, paths, target, { folderAlbums })),
  }),

  json({
    path: 'imports/list',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'List the own imports',
    description: 'The newest first. The last 20 are kept.',
    params: z.object({}),
    data: z.object({ imports: z.array(importSchema) }),
    run: async ({ principal }) => ({ imports: (await ownImports(context, principal)).map(reply) }),
  }),

  json({
    path: 'imports/item',
    methods: ['GET', 'POST'],
    scopes: ['list'],
    summary: 'Report of an import',
    description:
      'Its progress, and what was not understood: up to 10,000 entries of the archives, each with the reason.',
    params: z.object({
      import: importName(),
      start: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).default(0).describe('Number of notes to skip.'),
      limit: integer({ min: 1, max: MAX_NOTES }).default(MAX_NOTES).describe('Maximum number of notes.'),
    }),
    data: z.object({
      import: importSchema,
      archives: z.array(z.string()).describe('Their names when the import was started.'),
      notesTotal: count,
      notes: z.array(noteSchema),
    }),
    run: async ({ params: { import: name, start, limit }, principal }) => {
      const record = await ownImport(context, principal, name, 'imports/item');
      const [archives, { total, notes }] = await Promise.all([
        context.imports.archives(record.id),
        context.imports.notes(record.id, start, limit),
      ]);
      return { import: reply(record), archives: archives.map((archive) => archive.name), notesTotal: total, notes };
    },
  }),

  json({
    path: 'imports/cancel',
    methods: ['POST'],
    scopes: ['modify'],
    summary: 'Cancel an import',
    description: 'What was stored stays. The import can be resumed. Fails with `conflict` for one that has ended.',
    params: z.object({ import: importName() }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await cancelImport(context, principal, params.import);
      return {};
    },
  }),

  json({
    path: 'imports/resume',
    methods: ['POST'],
    scopes: ['upload', 'modify'],
    summary: 'Resume an import',
    description:
      'Goes on with an import that was cancelled or has failed: what is finished is not done again. The archives must still be there. Fails with `conflict` for other imports.',
    params: z.object({ import: importName() }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await resumeImport(context, principal, params.import);
      return {};
    },
  }),
];

function reply(record: ImportRecord): z.output<typeof importSchema> {
  const { uuid: name, state, failure, target, folder, folderAlbums, createdAt, endedAt, total } = record;
  const { handled, stored, known, inAlbums, undated } = record;
  return {
    ...{ import: name, state, failure, target: homePathOf(target), byOwner: folder !== null, folderAlbums },
    ...{ created: isoSeconds(createdAt), ended: endedAt === null ? null : isoSeconds(endedAt) },
    ...{ total, handled, stored, known, inAlbums, undated },
  };
}
