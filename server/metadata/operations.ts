import { z } from 'zod';
import { rightsOf } from '../access/caller.ts';
import { permit } from '../access/rights.ts';
import { FIELD_KINDS } from '../fields/field-kinds.ts';
import { operationsFor } from '../http/operation.ts';
import { itemName, keyedTexts } from '../http/request/parameters.ts';
import { CONDITION_HEADERS, CONDITIONS, preconditionsOf } from '../http/request/preconditions.ts';
import { isoSeconds } from '../lib/datetime.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { MetadataContext } from './context.ts';
import { labelText } from './marks.ts';
import { readMetadata } from './read-metadata.ts';
import { setMetadata } from './set-fields.ts';

const { json } = operationsFor<Principal, Scope>();

const id = z.int().positive();
const kind = z.enum(FIELD_KINDS);

export const metadataOperations = (context: MetadataContext) => [
  json({
    path: 'files/metadata',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Get the metadata of a file or folder',
    description:
      'Embedded metadata is in the sets Image, Video, Audio and Document; fields without a value are omitted. Fields defined by the owner are included even if empty. `label` is `text|color`, or only the text. For folders, `size` and `mime` are null, and `etag` changes with anything below the folder. Of files, `etag` and `sha256` are included if the caller may download the content; `sha256` is null while it is not known.',
    params: z.object(itemName()),
    data: z.object({
      path: z.string(),
      filename: z.string(),
      uuid: z.uuid(),
      size: z.int().nonnegative().nullable(),
      mdate: z.string(),
      cdate: z.string(),
      type: z.string(),
      mime: z.string().nullable(),
      fieldsets: z.array(
        z.object({
          id,
          name: z.string(),
          fields: z.array(z.object({ id, name: z.string(), type: kind, values: z.array(z.string()) })),
        }),
      ),
      tags: z.array(z.object({ text: z.string(), color: z.string().nullable() })),
      rating: z.int().min(0).max(5).nullable(),
      label: z.string().nullable(),
      gps: z.object({ x: z.number(), y: z.number() }).optional(),
      etag: z.string().optional(),
      sha256: z.string().nullable().optional(),
    }),
    run: async ({ params, principal }) => {
      const known = await readMetadata(context, principal, params);
      const { path, filename, uuid, size, mtime, created, type, mime, sets, tags, rating, label, place, etag, sha256 } =
        known;
      return {
        ...{ path, filename, uuid, size, mdate: isoSeconds(mtime), cdate: isoSeconds(created), type, mime },
        fieldsets: sets.map(({ fields, ...set }) => ({
          ...{ id: set.id, name: set.name },
          fields: fields.map((field) => ({
            ...{ id: field.id, name: field.name, type: field.kind, values: [...field.values] },
          })),
        })),
        tags: tags.map(({ value, color }) => ({ text: value, color })),
        rating,
        label: label === null ? null : labelText(label),
        ...(place === null ? {} : { gps: { x: place.latitude, y: place.longitude } }),
        ...(etag === null ? {} : { etag }),
        ...(sha256 === undefined ? {} : { sha256 }),
      };
    },
  }),

  json({
    path: 'files/metadata/set',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Set metadata fields of a file or folder',
    description: `Sets fields defined by the owner, by ID: \`fields[12]=Passport\`, or \`fields[13][]=…\` for a multiple choice. An empty value clears the field; omitted fields remain unchanged. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({ ...itemName(), fields: keyedTexts().describe('Values by field ID.') }),
    data: z.object({}),
    run: async ({ params, principal, request }) => {
      await setMetadata(context, principal, params, params.fields, preconditionsOf(request.headers));
      return {};
    },
  }),

  json({
    path: 'files/metadata/fields',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'List file types, field sets and fields',
    description:
      'A file has the field sets of all types that match it. Types with `extensions` are defined by the owner. `readonly` fields are embedded metadata, read from the files.',
    params: z.object({}),
    data: z.object({
      types: z.array(z.object({ id, name: z.string(), extensions: z.array(z.string()), sets: z.array(id) })),
      sets: z.array(
        z.object({
          id,
          name: z.string(),
          fields: z.array(
            z.object({ id, name: z.string(), type: kind, options: z.array(z.string()), readonly: z.boolean() }),
          ),
        }),
      ),
    }),
    run: async ({ principal }) => {
      permit(rightsOf(principal), 'files/metadata/fields');
      const { types, sets } = await context.definitions();
      return {
        types: types.map(({ id, name, extensions, setIds }) => ({
          ...{ id, name, extensions: [...extensions], sets: [...setIds] },
        })),
        sets: sets.map(({ id, name, fields }) => ({
          ...{ id, name },
          fields: fields.map((field) => ({
            ...{ id: field.id, name: field.name, type: field.kind, options: [...field.options] },
            readonly: field.system !== null,
          })),
        })),
      };
    },
  }),
];
