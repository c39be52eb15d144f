import { z } from 'zod';
import type { FilesDatabase, Transaction } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { t } from '../../messages/messages.ts';
import { TRASHED_HOMES } from '../../storage/layout.ts';
import { previousContentSchema } from '../publish/previous-content.ts';

/**
 * A name in the work area, made by the server: letters, digits and dashes. A damaged entry must never lead anywhere else, because
 * what it names is erased.
 */
const storedName = () => z.string().regex(/^[A-Za-z0-9-]{8,64}$/);

/** Names below the root of a home, as the disk has them. */
const segments = () => z.array(z.string().regex(/^(?!\.{1,2}$)[^/\0]+$/));

/** A change of several steps, written down before the first, and taken out with the last. */
const entrySchema = z
  .discriminatedUnion('kind', [
    /** New content over an existing file: the old one is on its way to where it is kept. */
    z.object({
      kind: z.literal('overwrite'),
      homeId: z.string(),
      segments: segments(),
      kept: previousContentSchema,
    }),
    /** An item on its way to another name; what had the name is on its way to where it is kept. */
    z.object({
      kind: z.literal('move'),
      homeId: z.string(),
      itemId: z.number(),
      /** Of the item, as the disk says it: it is the same before and after. */
      identity: z.string(),
      from: segments(),
      to: segments(),
      kept: previousContentSchema,
    }),
    /** The same, from one home into another one: `homeId` is the one that it leaves. */
    z.object({
      kind: z.literal('move-between'),
      homeId: z.string(),
      toHomeId: z.string(),
      itemId: z.number(),
      /** Of what is at `to` when it is there: of the item, or of its copy on another disk. */
      identity: z.string(),
      from: segments(),
      to: segments(),
      /** Of what `to` had before. */
      kept: previousContentSchema,
      /** For a copy: what it is of goes to `trash/<takenId>` of its home, to be erased there. Null for a rename. */
      takenId: storedName().nullable(),
      /** Old contents that are in the work areas of both homes meanwhile; none where that is one area. */
      versionIds: z.array(storedName()),
      by: z.number(),
      at: z.number(),
    }),
    /** An item that has moved into another home, and what is left of it in this one: `trash/<takenId>`, and old contents. */
    z.object({
      kind: z.literal('moved-out'),
      homeId: z.string(),
      toHomeId: z.string(),
      takenId: storedName().nullable(),
      versionIds: z.array(storedName()),
    }),
    /** An item on its way to `trash/<trashId>`. */
    z.object({
      kind: z.literal('trash'),
      homeId: z.string(),
      itemId: z.number(),
      /** Of the item: a row that says otherwise by now belongs to another file of this path. */
      identity: z.string(),
      trashId: storedName(),
      path: z.string(),
      deletedAt: z.number(),
      deletedBy: z.number(),
    }),
    /** An item on its way out of `trash/<trashId>`. */
    z.object({
      kind: z.literal('restore'),
      homeId: z.string(),
      itemId: z.number(),
      trashId: storedName(),
      to: segments(),
    }),
    /** An item that was taken out to `trash/<trashId>` in order to be erased, and the versions that go with it. */
    z.object({
      kind: z.literal('erase'),
      homeId: z.string(),
      itemId: z.number(),
      identity: z.string(),
      trashId: storedName(),
      versionIds: z.array(storedName()),
    }),
    /** Versions without rows, whose contents go. */
    z.object({ kind: z.literal('forget'), homeId: z.string(), versionIds: z.array(storedName()) }),
    /** A whole home on its way to the trash, or back: `to` is a path as the database stores it. */
    z.object({
      kind: z.literal('home-trash'),
      homeId: z.string(),
      to: z.string(),
      username: z.string(),
      at: z.number(),
    }),
    z.object({ kind: z.literal('home-restore'), homeId: z.string(), to: z.string() }),
    /** A home without rows, whose files go, and those contents of it that lie in the work area of all. */
    z.object({
      kind: z.literal('home-erase'),
      homeId: storedName(),
      /** Null for a home whose folder nobody has any more: what may be there now is not touched. */
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

/** The form of the entries that this version writes, and the only one that it reads. */
const ENTRY_VERSION = 1;

/** An entry that cannot be read, and is left as it is: nobody knows what would have to be finished or undone. */
export interface QuarantinedEntry {
  readonly id: number;
  readonly kind: string;
  /** Milliseconds since the epoch; null for a number that is no time. */
  readonly createdAt: number | null;
  /** What is wrong with it, to follow "it". */
  readonly why: string;
}

export interface PendingEntries {
  /** What was begun and never ended, oldest first. */
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

/** Reads every entry by itself: one that is damaged keeps no other from being finished. */
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
        kind: row.kind.slice(0, MOST_SHOWN),
        why: read.why,
      });
  }
  return { entries, quarantined };
}

/** Characters of a damaged entry that are shown. */
const MOST_SHOWN = 100;

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
