import { z } from 'zod';
import { permit } from '../access/rights.ts';
import { FIELD_KINDS } from '../fields/field-kinds.ts';
import { operationsFor } from '../http/operation.ts';
import { keyedTexts, virtualPath } from '../http/request/parameters.ts';
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
    summary: 'What is known of a file or folder',
    description:
      'What a file says of itself stands in the sets Image, Video, Audio and Document, as far as it says it; the fields of the owner’s stand there empty, too. `label` is `text|color`, or the text alone. Folders have neither `size` nor `mime`.',
    params: z.object({ path: virtualPath() }),
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
    }),
    run: async ({ params, principal }) => {
      const known = await readMetadata(context, principal, params.path);
      const { path, filename, uuid, size, mtime, created, type, mime, sets, tags, rating, label, place } = known;
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
      };
    },
  }),

  json({
    path: 'files/metadata/set',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Fill in fields of a file or folder',
    description:
      'Fields of the owner’s, by their ids: `fields[12]=Passport`, and for a multiple choice `fields[13][]=…`. What is sent empty is empty afterwards; what is not sent stays.',
    params: z.object({ path: virtualPath(), fields: keyedTexts().describe('Values by the ids of the fields.') }),
    data: z.object({}),
    run: async ({ params, principal }) => {
      await setMetadata(context, principal, params.path, params.fields);
      return {};
    },
  }),

  json({
    path: 'files/metadata/fields',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'The file types, sets and fields there are',
    description:
      'A file has the sets of all types that it is of. Types with `extensions` are the owner’s own. What is `readonly` comes from the files themselves.',
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
      permit(principal.account, 'files/metadata/fields');
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
