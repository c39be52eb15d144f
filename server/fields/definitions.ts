import { cachedReads } from '../database/cached-reads.ts';
import type { Database } from '../database/database.ts';
import { extensionOf, type FileType, fileKind } from '../lib/names/file-types.ts';
import type { FieldKind } from './field-kinds.ts';

export interface FieldDefinition {
  readonly id: number;
  readonly name: string;
  readonly kind: FieldKind;
  /** The options of a choice; empty for other kinds. */
  readonly options: readonly string[];
  /** The key of a built-in field; null for the owner's own. */
  readonly system: string | null;
}

/** A group of fields. */
export interface SetDefinition {
  readonly id: number;
  readonly name: string;
  readonly system: string | null;
  readonly fields: readonly FieldDefinition[];
}

/** A type of files, with its sets. */
export interface TypeDefinition {
  readonly id: number;
  readonly name: string;
  readonly system: string | null;
  /** For the owner's own types: in lower case and without dots. */
  readonly extensions: readonly string[];
  readonly setIds: readonly number[];
}

export interface Definitions {
  readonly types: readonly TypeDefinition[];
  readonly sets: readonly SetDefinition[];
  readonly fields: ReadonlyMap<number, FieldDefinition>;
  /** What people put on items: tags, rating, label. Not in `sets`; their ids. */
  readonly marks: Readonly<Record<Mark, number>>;
}

export const MARKS = ['tag', 'rating', 'label'] as const;
export type Mark = (typeof MARKS)[number];

/** The file types behind the built-in types; null: every file and folder. */
const FAMILIES: Readonly<Record<string, readonly FileType[] | null>> = {
  any: null,
  image: ['image', 'raw'],
  video: ['video'],
  audio: ['audio'],
  document: ['document', 'spreadsheet', 'presentation', 'pdf', 'ebook'],
};

/** Which files belong to a type: all, those of some file types, or those with some extensions. */
export type TypeRule =
  | { readonly kind: 'all' }
  | { readonly kind: 'families'; readonly families: readonly FileType[] }
  | { readonly kind: 'extensions'; readonly extensions: readonly string[] };

export function ruleOf({ system, extensions }: TypeDefinition): TypeRule {
  if (system === null) return { kind: 'extensions', extensions };
  const families = FAMILIES[system] ?? [];
  return FAMILIES[system] === null ? { kind: 'all' } : { kind: 'families', families };
}

/** Whether a file or folder belongs to a type. */
function isOfType(type: TypeDefinition, name: string, isDir: boolean): boolean {
  const rule = ruleOf(type);
  if (rule.kind === 'all') return true;
  if (isDir) return false;
  return rule.kind === 'families'
    ? rule.families.includes(fileKind(name, false).type)
    : rule.extensions.includes(extensionOf(name));
}

/** The sets of a file or folder: those of its types. */
export function setsOf({ types, sets }: Definitions, name: string, isDir: boolean): SetDefinition[] {
  const ids = new Set(types.filter((type) => isOfType(type, name, isDir)).flatMap(({ setIds }) => setIds));
  return sets.filter(({ id }) => ids.has(id));
}

/** Reads the definitions; cached until the owner changes them. */
export function createDefinitions(database: Pick<Database, 'all' | 'unchangedSince'>): () => Promise<Definitions> {
  const read = cachedReads(database, 'accounts', 1, () => readDefinitions(database));
  return () => read('all');
}

export async function readDefinitions(database: Pick<Database, 'all'>): Promise<Definitions> {
  const [types, sets, fields, joined] = await Promise.all([
    database.all<{ id: number; name: string; system: string | null; extensions: string }>(
      'SELECT id, name, system, extensions FROM metadata_types ORDER BY position, id',
    ),
    database.all<{ id: number; name: string; system: string | null }>(
      'SELECT id, name, system FROM metadata_sets ORDER BY position, id',
    ),
    database.all<{ id: number; set_id: number; name: string; kind: FieldKind; options: string; system: string | null }>(
      'SELECT id, set_id, name, kind, options, system FROM metadata_fields ORDER BY position, id',
    ),
    database.all<{ type_id: number; set_id: number }>('SELECT type_id, set_id FROM metadata_type_sets'),
  ]);
  const fieldsOf = (setId: number): FieldDefinition[] =>
    fields
      .filter(({ set_id: of }) => of === setId)
      .map(({ id, name, kind, options, system }) => ({ id, name, kind, options: JSON.parse(options), system }));
  const all: SetDefinition[] = sets.map((set) => ({ ...set, fields: fieldsOf(set.id) }));
  const setIds = all.filter(({ system }) => system !== 'marks').map(({ id }) => id);
  return {
    types: types.map(({ extensions, ...type }) => ({
      ...type,
      extensions: extensions.split(' ').filter((extension) => extension !== ''),
      setIds: setIds.filter((id) => joined.some((one) => one.type_id === type.id && one.set_id === id)),
    })),
    sets: all.filter(({ id }) => setIds.includes(id)),
    fields: new Map(all.flatMap(({ fields: own }) => own.map((field) => [field.id, field]))),
    marks: Object.fromEntries(
      MARKS.map((mark) => [mark, fields.find(({ system }) => system === mark)?.id ?? 0]),
    ) as Record<Mark, number>,
  };
}
