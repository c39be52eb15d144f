import { z } from 'zod';

/** The owner's definitions for files: types and their fields. */

const kind = z.enum(['text', 'longtext', 'number', 'date', 'choice', 'choices', 'stars']);

const type = z.object({
  id: z.int(),
  name: z.string(),
  /** Built in: it can be neither renamed nor removed. */
  system: z.boolean(),
  /** For the owner's own types; built-in types go by the kind of a file. */
  extensions: z.array(z.string()),
  setIds: z.array(z.int()),
});

const field = z.object({
  id: z.int(),
  name: z.string(),
  kind,
  /** The options of a choice. */
  options: z.array(z.string()),
  system: z.boolean(),
});

const set = z.object({ id: z.int(), name: z.string(), system: z.boolean(), fields: z.array(field) });

const id = z.strictObject({ id: z.int() });
const texts = z.array(z.string()).max(1_000);
const ids = z.array(z.int()).max(1_000);

export const metadataMethods = {
  'metadata.list': {
    summary: 'List file types, field sets and fields',
    may: ['owner'],
    input: z.strictObject({}),
    output: z.object({ types: z.array(type), sets: z.array(set) }),
  },
  'metadata.types.add': {
    summary: 'Add a file type with its extensions and field sets',
    may: ['owner'],
    input: z.strictObject({ name: z.string(), extensions: texts, setIds: ids.default([]) }),
    output: type,
  },
  'metadata.types.update': {
    summary: 'Change a file type; only the field sets of a built-in type can be changed',
    may: ['owner'],
    input: z.strictObject({
      id: z.int(),
      name: z.string().optional(),
      extensions: texts.optional(),
      setIds: ids.optional(),
    }),
    output: type,
  },
  'metadata.types.remove': {
    summary: 'Delete a file type; field values remain stored',
    may: ['owner'],
    input: id,
    output: id,
  },
  'metadata.sets.add': {
    summary: 'Add a field set and assign it to file types',
    may: ['owner'],
    input: z.strictObject({ name: z.string(), typeIds: ids.default([]) }),
    output: set,
  },
  'metadata.sets.update': {
    summary: 'Rename a field set',
    may: ['owner'],
    input: z.strictObject({ id: z.int(), name: z.string().optional() }),
    output: set,
  },
  'metadata.sets.remove': {
    summary: 'Delete a field set with its fields and all their values',
    may: ['owner'],
    input: id,
    output: z.object({ id: z.int(), fields: z.int(), values: z.int() }),
  },
  'metadata.fields.add': {
    summary: 'Add a field',
    may: ['owner'],
    input: z.strictObject({ setId: z.int(), name: z.string(), kind, options: texts.default([]) }),
    output: field,
  },
  'metadata.fields.update': {
    summary: 'Change a field; a new kind or new options must accept all existing values',
    may: ['owner'],
    input: z.strictObject({
      id: z.int(),
      name: z.string().optional(),
      kind: kind.optional(),
      options: texts.optional(),
    }),
    output: field,
  },
  'metadata.fields.remove': {
    summary: 'Delete a field and all its values',
    may: ['owner'],
    input: id,
    output: z.object({ id: z.int(), values: z.int() }),
  },
} as const;
