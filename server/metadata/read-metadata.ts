import { checkStillShared, shownName, virtualPathOf } from '../access/access.ts';
import { type Caller, rightsOf } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { mayKnowContent } from '../access/known-content.ts';
import { isPermitted } from '../access/rights.ts';
import { tagReader } from '../access/tag-reader.ts';
import { hashesOf } from '../catalogue/content-hashes.ts';
import { folderTags } from '../catalogue/folder-tags.ts';
import { type Definitions, type FieldDefinition, setsOf } from '../fields/definitions.ts';
import { type FieldValue, valuesOf } from '../fields/values.ts';
import { quoted } from '../files/content-tag.ts';
import { mimeType } from '../files/mime-type.ts';
import { withItem } from '../files/with-file.ts';
import { fileKind } from '../lib/names/file-types.ts';
import { describedTarget, type GeoPlace, type MetadataContext } from './context.ts';

/** A set of fields with the values of a file. */
export interface KnownSet {
  readonly id: number;
  readonly name: string;
  readonly fields: readonly KnownField[];
}

export interface KnownField extends FieldDefinition {
  readonly values: readonly string[];
}

/** The metadata of a file or folder. */
export interface Metadata {
  readonly path: string;
  readonly filename: string;
  readonly uuid: string;
  /** Bytes; null for a folder. */
  readonly size: number | null;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  readonly created: number;
  readonly type: string;
  /** Null for a folder. */
  readonly mime: string | null;
  readonly sets: readonly KnownSet[];
  readonly tags: readonly Required<FieldValue>[];
  readonly rating: number | null;
  readonly label: Required<FieldValue> | null;
  readonly place: GeoPlace | null;
  /** Null for a file whose content the caller may not download. */
  readonly etag: string | null;
  /** Hexadecimal; null while it is not known; absent for a folder, and for a caller who may not know it. */
  readonly sha256?: string | null;
}

/** @throws ApiError `permission_denied`, `not_found`, `invalid_path` */
export async function readMetadata(context: MetadataContext, caller: Caller, named: ItemName): Promise<Metadata> {
  const target = await describedTarget(context, caller, named, 'files/metadata');
  await context.embedded?.(target);
  const definitions = await context.definitions();
  const read = await withItem(context, target, async ({ item, entry }) => {
    const [values, place, hashes, tags] = await Promise.all([
      valuesOf(context.database, item.id),
      entry.isDir ? null : (context.placeOf?.(item.id) ?? null),
      entry.isDir || !mayKnowContent(caller, target.share) ? null : hashesOf(context.database, [item.id]),
      entry.isDir && caller.account !== undefined
        ? folderTags(context.database, tagReader(caller.account, target.share), [item.id])
        : null,
    ]);
    return { item, entry, values, place, hashes, folderTag: tags?.get(item.id) ?? null };
  });
  const { item, entry, values, place, hashes, folderTag } = read;
  const hash = hashes?.get(item.id);
  await checkStillShared(target);
  const { marks } = definitions;
  const rating = values.get(marks.rating)?.[0]?.value;
  return {
    path: virtualPathOf(target),
    filename: shownName(target, entry.name),
    uuid: item.uuid,
    size: entry.isDir ? null : entry.size,
    mtime: entry.mtime,
    created: entry.created,
    type: fileKind(entry.name, entry.isDir).type,
    mime: entry.isDir ? null : mimeType(entry.name),
    sets: knownSets(definitions, values, entry),
    tags: values.get(marks.tag) ?? [],
    rating: rating === undefined ? null : Number(rating),
    label: values.get(marks.label)?.[0] ?? null,
    place,
    etag: entry.isDir
      ? folderTag
      : isPermitted(rightsOf(caller), target.share, 'files/download')
        ? quoted(item.tag)
        : null,
    ...(hashes === null ? {} : { sha256: hash?.identity === entry.identity ? hash.sha256 : null }),
  };
}

/**
 * The owner's fields, even if empty, and the embedded fields that have values. Values from before a rename to another type are
 * included.
 */
function knownSets(
  definitions: Definitions,
  values: ReadonlyMap<number, readonly FieldValue[]>,
  { name, isDir }: { readonly name: string; readonly isDir: boolean },
): KnownSet[] {
  const own = new Set(setsOf(definitions, name, isDir).map(({ id }) => id));
  const sets = definitions.sets.map(({ id, name: called, fields }) => ({
    ...{ id, name: called },
    fields: fields
      .filter((field) => values.has(field.id) || (own.has(id) && field.system === null))
      .map((field) => ({ ...field, values: (values.get(field.id) ?? []).map(({ value }) => value) })),
  }));
  return sets.filter(({ fields }) => fields.length > 0);
}
