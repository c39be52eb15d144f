import { homePathOf } from '../access/access.ts';
import { ApiError } from '../http/errors.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import type { Actor } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import { diskSpace } from '../storage/inspect.ts';
import { cancelRecord, type ImportChangesContext, prepareTarget, resumeRecord } from './change-imports.ts';
import { importingFor } from './context.ts';
import { isShown } from './exports/entries.ts';
import { missingParts } from './exports/missing-parts.ts';
import type { PlanOptions } from './exports/plan.ts';
import { planExport } from './exports/plan-export.ts';
import { isICloud } from './icloud/plan.ts';
import { checkImportFolder, type ImportFolderRules } from './import-folder-path.ts';
import type { ImportRecord } from './imports.ts';
import type { Note, NoteReason } from './reasons.ts';
import { folderIdentity, type Numbering, readDiskFolder } from './sources/disk-folder.ts';
import { readTexts } from './sources/read-texts.ts';
import { xmpReader } from './sources/read-xmp.ts';

/** What an import of a folder would bring. */
interface ExaminedFolder {
  /** Its real path. */
  readonly folder: string;
  /** Of which services its exports are; `other`: photos that no export describes. */
  readonly services: readonly ('google' | 'icloud' | 'other')[];
  readonly archives: number;
  /** Exports that are unpacked. */
  readonly unpacked: number;
  /** Photos and films, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  readonly undated: number;
  readonly albums: number;
  /** Names that missing archives usually have. */
  readonly missing: readonly string[];
  /** How many entries of each reason there are, with the first ones. */
  readonly notes: readonly {
    readonly reason: NoteReason;
    readonly count: number;
    readonly entries: readonly string[];
  }[];
  /** Bytes that the account may still store, and that its disk has; null for no limit, or if that is unknown. */
  readonly quotaLeft: number | null;
  readonly diskFree: number | null;
}

/** Imports of folders of the disk, for the owner. Nothing else may name a path of the disk. */
export interface FolderImports {
  /**
   * Reads a folder, and stores nothing. One folder at a time: a second call ends the first.
   * @throws FieldProblem `folder`, `accountId`; ApiError
   */
  examine(folder: string, accountId: number, options: PlanOptions): Promise<ExaminedFolder>;
  /** @returns whether a folder was being examined */
  cancelExamination(): boolean;
  /**
   * @param target names below the home
   * @throws FieldProblem `folder`, `accountId`; ApiError for a target that is none
   */
  start(
    folder: string,
    accountId: number,
    target: readonly string[],
    options: PlanOptions,
    by: Actor,
  ): Promise<ImportRecord>;
  /** The newest first. */
  list(): Promise<ImportRecord[]>;
  /** @throws ApiError `not_found` */
  find(uuid: string): Promise<ImportRecord>;
  /** @throws ApiError `not_found`, `conflict` */
  cancel(uuid: string): Promise<void>;
  resume(uuid: string): Promise<void>;
}

/** Entries of each reason that are named, and missing archives. */
const NAMED = 20;

export function createFolderImports(
  context: ImportChangesContext,
  rules: () => Promise<ImportFolderRules>,
): FolderImports {
  let examining: AbortController | null = null;

  async function checked(folder: string): Promise<string> {
    return checkImportFolder(folder, await rules());
  }

  async function receiverOf(accountId: number) {
    try {
      return await importingFor(context, { accountId, channel: 'control' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isMissing = error.code === 'not_found';
      throw new FieldProblem('accountId', isMissing ? t('api.imports.accountMissing') : error.message);
    }
  }

  async function find(uuid: string): Promise<ImportRecord> {
    const record = (await context.imports.ofFolders()).find((one) => one.uuid === uuid);
    if (record === undefined) throw new ApiError('not_found', t('api.imports.notFound'));
    return record;
  }

  return {
    async examine(requested, accountId, options) {
      const folder = await checked(requested);
      const { home } = await receiverOf(accountId);
      examining?.abort();
      const own = new AbortController();
      examining = own;
      try {
        const found = await examined(context, folder, options, own.signal);
        const [{ used, quota }, space] = await Promise.all([
          context.quotas.usage(home),
          context.disk.whileAnswering(home.homeRoot, () => diskSpace(home.homeRoot.root)).catch(() => ({ free: null })),
        ]);
        return { ...found, quotaLeft: quota === null ? null : Math.max(0, quota - used), diskFree: space.free };
      } catch (error) {
        throw own.signal.aborted ? new ApiError('conflict', t('api.imports.folder.otherCheck')) : error;
      } finally {
        if (examining === own) examining = null;
      }
    },

    cancelExamination() {
      examining?.abort();
      return examining !== null;
    },

    async start(requested, accountId, targetName, { folderAlbums }, by) {
      const folder = await checked(requested);
      const { caller } = await receiverOf(accountId);
      const { segments } = await prepareTarget(context, caller, ['ROOT', 'HOME', ...targetName]);
      const record = await context.imports.add({
        ...{ accountId, target: segments, channel: 'control', folderAlbums },
        folder: { path: folder, identity: await folderIdentity(context, folder) },
        archives: [],
      });
      const { username } = caller.account;
      context.events.emit('import.started', { actor: by, accountId, username, path: homePathOf(segments), folder });
      context.importer.wake();
      return record;
    },

    list: () => context.imports.ofFolders(),
    find,
    cancel: async (uuid) => cancelRecord(context, await find(uuid)),
    resume: async (uuid) => resumeRecord(context, await find(uuid)),
  };
}

async function examined(context: ImportChangesContext, folder: string, options: PlanOptions, signal: AbortSignal) {
  const source = await readDiskFolder(context, { folder, known: null }, inMemory(), signal);
  const { files, notes } = await planExport(
    source.entries,
    (requested, parse) => readTexts(source, requested, parse, signal),
    xmpReader(context, source, signal),
    options,
  );
  const ofICloud = isICloud(source.entries);
  const zips = source.parts.size - source.unpacked;
  const services = new Set(
    files.map(({ entry, stated, isDatedByFile }) => {
      if (ofICloud.has(entry.archive)) return 'icloud';
      const isOther = isDatedByFile === true || (stated === null && !/^takeout\//i.test(entry.path));
      return isOther ? 'other' : 'google';
    }),
  );
  const albums = new Set(files.flatMap((file) => file.albums.map((album) => album.folder)));
  return {
    folder,
    services: (['google', 'icloud', 'other'] as const).filter((one) => services.has(one)),
    archives: zips,
    unpacked: source.unpacked,
    files: files.length,
    bytes: files.reduce((sum, { entry }) => sum + entry.size, 0),
    undated: files.filter(
      ({ entry, stated, isDatedByFile }) =>
        isShown(entry.path) && isDatedByFile !== true && (stated?.taken ?? null) === null,
    ).length,
    albums: albums.size,
    missing: missingParts(source.names),
    notes: byReason([...source.notes, ...notes]),
  };
}

function byReason(notes: readonly Note[]): ExaminedFolder['notes'] {
  const all = new Map<NoteReason, { count: number; readonly entries: string[] }>();
  for (const { entry, reason } of notes) {
    const of = all.get(reason) ?? { count: 0, entries: [] };
    all.set(reason, of);
    of.count += 1;
    if (of.entries.length < NAMED) of.entries.push(entry);
  }
  return [...all].map(([reason, of]) => ({ reason, ...of })).sort((a, b) => b.count - a.count);
}

/** Numbers for a folder that is read once. */
function inMemory(): Numbering {
  let [archives, files] = [0, 0];
  return {
    archive: async () => archives++,
    knowsSome: async () => true,
    files: async (all) => new Map(all.map(({ path }) => [path, files++])),
  };
}
