import { z } from 'zod';
import type { FilesDatabase, Transaction } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { t } from '../../messages/messages.ts';
import { TRASHED_HOMES } from '../../storage/layout.ts';
import { previousContentSchema } from '../publish/previous-content.ts';

/**
 * A name in the work area, made by the server: letters, digits and dashes. Since entries name what is erased, a damaged one must
 * not lead outside the work area.
 */
const storedName = () => z.string().regex(/^[A-Za-z0-9-]{8,64}$/);

/** Names below the root of a home, as they are on the disk. */
const segments = () => z.array(z.string().regex(/^(?!\.{1,2}$)[^/\0]+$/));

/** A change of several steps: written before the first step, removed with the last. */
const entrySchema = z
  .discriminatedUnion('kind', [
    /** New content replaces an existing file, whose content is being retained. */
    z.object({
      kind: z.literal('overwrite'),
      homeId: z.string(),
      segments: segments(),
      kept: previousContentSchema,
    }),
    /** A rename or move within a home; what had the name before is being retained. */
    z.object({
      kind: z.literal('move'),
      homeId: z.string(),
      itemId: z.number(),
      /** Of the item, as reported by the disk: the same before and after. */
      identity: z.string(),
      from: segments(),
      to: segments(),
      kept: previousContentSchema,
      /** Whether the file that is replaced keeps its uuid and metadata. */
      keepsReplaced: z.boolean().optional(),
    }),
    /** A move to another home: `homeId` is the source. */
    z.object({
      kind: z.literal('move-between'),
      homeId: z.string(),
      toHomeId: z.string(),
      itemId: z.number(),
      /** Of the item at `to` once it is there: the item itself, or its copy on another disk. */
      identity: z.string(),
      from: segments(),
      to: segments(),
      /** The content that `to` had before. */
      kept: previousContentSchema,
      keepsReplaced: z.boolean().optional(),
      /** For a copy: the source goes to `trash/<takenId>` of its home, to be erased there. Null for a rename. */
      takenId: storedName().nullable(),
      /** Versions that are in the work areas of both homes during the move; none if the homes share an area. */
      versionIds: z.array(storedName()),
      by: z.number(),
      at: z.number(),
    }),
    /** An item that has moved to another home, and what is left of it in this one: `trash/<takenId>`, and versions. */
    z.object({
      kind: z.literal('moved-out'),
      homeId: z.string(),
      toHomeId: z.string(),
      takenId: storedName().nullable(),
      versionIds: z.array(storedName()),
    }),
    /** An item being moved to `trash/<trashId>`. */
    z.object({
      kind: z.literal('trash'),
      homeId: z.string(),
      itemId: z.number(),
      /** Of the item: a row with another identity belongs to a different file at this path. */
      identity: z.string(),
      trashId: storedName(),
      path: z.string(),
      deletedAt: z.number(),
      deletedBy: z.number(),
    }),
    /**
     * A document in `trash/<trashId>` whose content is becoming a version of the file that has its name now. See
     * `move/complete-save.ts`.
     */
    z.object({
      kind: z.literal('complete-save'),
      homeId: z.string(),
      itemId: z.number(),
      successorId: z.number(),
      /** Of the successor: another one means that the name belongs to something else by now. */
      identity: z.string(),
      trashId: storedName(),
      to: segments(),
      kept: previousContentSchema,
      /** The lock of the API that the document had. */
      lock: z.object({ accountId: z.number(), lockedAt: z.number() }).optional(),
    }),
    /** An item being restored from `trash/<trashId>`. */
    z.object({
      kind: z.literal('restore'),
      homeId: z.string(),
      itemId: z.number(),
      trashId: storedName(),
      to: segments(),
    }),
    /** An item moved to `trash/<trashId>` to be erased, together with its versions. */
    z.object({
      kind: z.literal('erase'),
      homeId: z.string(),
      itemId: z.number(),
      identity: z.string(),
      trashId: storedName(),
      versionIds: z.array(storedName()),
    }),
    /** Versions without rows, whose contents are being erased. */
    z.object({ kind: z.literal('forget'), homeId: z.string(), versionIds: z.array(storedName()) }),
    /** A whole home being moved to the trash or back: `to` is a path as stored in the database. */
    z.object({
      kind: z.literal('home-trash'),
      homeId: z.string(),
      to: z.string(),
      username: z.string(),
      at: z.number(),
    }),
    z.object({ kind: z.literal('home-restore'), homeId: z.string(), to: z.string() }),
    /** A home without rows, whose files are being erased, and its contents in the shared work area. */
    z.object({
      kind: z.literal('home-erase'),
      homeId: storedName(),
      /** Null for a home whose folder no longer belongs to a home: what may be there now stays untouched. */
      root: z.string().nullable(),
      versionIds: z.array(storedName()),
      trashIds: z.array(storedName()),
      uploadIds: z.array(storedName()),
    }),
  ])
  .refine((entry) => entry.kind !== 'home-erase' || entry.root === null || isTrashedHome(entry.root, entry.homeId));

/** Only a home in a trash is erased as a whole: `…/trash/homes/<id>`. */
function isTrashedHome(root: string, homeId: string): boolean {
  const names = root.split(/[\\/]/);
  return !names.includes('..') && names.slice(-3).join('/') === `trash/${TRASHED_HOMES}/${homeId}`;
}

export type JournalEntry = z.infer<typeof entrySchema>;
export type JournalEntryOf<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { kind: Kind }>;

/** The format of entries that this version writes, and the only one it reads. */
const ENTRY_VERSION = 1;

/** An unreadable entry, left as it is: it is unknown what would have to be finished or undone. */
export interface QuarantinedEntry {
  readonly id: number;
  readonly kind: string;
  /** Milliseconds since the epoch; null if the stored number is not a time. */
  readonly createdAt: number | null;
  /** The problem, as the end of a sentence that begins with "it". */
  readonly why: string;
}

interface PendingEntries {
  /** Changes that began and did not end, oldest first. */
  readonly entries: readonly { readonly id: number; readonly entry: JournalEntry }[];
  readonly quarantined: readonly QuarantinedEntry[];
}

export interface Journal {
  begin(tx: Transaction, entry: JournalEntry): Promise<number>;
  end(tx: Transaction, id: number): Promise<void>;
  pending(): Promise<PendingEntries>;
}

interface JournalRow {
  id: number;
  kind: string;
  data: string;
  version: number;
  created_at: number;
}

export function createJournal(database: FilesDatabase, clock: Clock): Journal {
  return {
    async begin(tx, entry) {
      const { lastId } = await tx.run('INSERT INTO journal (kind, data, version, created_at) VALUES (?, ?, ?, ?)', [
        entry.kind,
        JSON.stringify(entry),
        ENTRY_VERSION,
        clock.now(),
      ]);
      return lastId;
    },
    async end(tx, id) {
      await tx.run('DELETE FROM journal WHERE id = ?', [id]);
    },
    pending: () => pendingEntries(database),
  };
}

/** Reads each entry separately, so a damaged one does not block the others. */
export async function pendingEntries(database: Pick<FilesDatabase, 'all'>): Promise<PendingEntries> {
  const rows = await database.all<JournalRow>('SELECT id, kind, data, version, created_at FROM journal ORDER BY id');
  const entries: { id: number; entry: JournalEntry }[] = [];
  const quarantined: QuarantinedEntry[] = [];
  for (const row of rows) {
    const read = readEntry(row);
    if ('entry' in read) entries.push({ id: row.id, entry: read.entry });
    else
      quarantined.push({
        id: row.id,
        createdAt: timeOf(row.created_at),
        kind: row.kind.slice(0, MAX_SHOWN),
        why: read.why,
      });
  }
  return { entries, quarantined };
}

/** Characters of a damaged entry that are shown. */
const MAX_SHOWN = 100;

function timeOf(milliseconds: unknown): number | null {
  return typeof milliseconds === 'number' && !Number.isNaN(new Date(milliseconds).getTime()) ? milliseconds : null;
}

function readEntry({ kind, data, version }: JournalRow): { entry: JournalEntry } | { why: string } {
  if (version !== ENTRY_VERSION)
    return { why: t('api.journal.otherVersion', { written: version, read: ENTRY_VERSION }) };
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return { why: t('api.journal.notJson') };
  }
  const parsed = entrySchema.safeParse(value);
  if (parsed.success && parsed.data.kind === kind) return { entry: parsed.data };
  const isKnown = entrySchema.options.some((option) => option.shape.kind.value === kind);
  return { why: isKnown ? t('api.journal.fields') : t('api.journal.unknownKind') };
}
