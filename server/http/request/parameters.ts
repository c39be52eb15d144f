import { z } from 'zod';
import { parseDatetime } from '../../lib/datetime.ts';
import { isReachable } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';

/**
 * The kinds of parameters, read from text as query strings and forms carry it, or from JSON. Each says in its
 * `meta` what the OpenAPI description shows. A failure has a `ParameterProblem`, which describes it for the
 * name of the parameter.
 */

/** What is wrong with a parameter: the `params` of an issue. */
export interface ParameterProblem {
  readonly describe: (parameter: string) => string;
  readonly code?: 'invalid_path' | undefined;
}

/** Deeper trees cannot be named by one path on any system. */
export const MAX_SEGMENTS = 128;
/** Bytes of a virtual path. */
export const MAX_PATH = 3_500;

const TRUE = new Set(['1', 'true', 'on', 'yes']);
const FALSE = new Set(['0', 'false', 'off', 'no', '']);

/** `1 0 true false on off yes no` and the empty string, in any case, or a JSON boolean. */
export function flag() {
  return z
    .unknown()
    .transform((value, context) => {
      const text = textOf(value)?.toLowerCase() ?? 'neither';
      if (!TRUE.has(text) && !FALSE.has(text))
        return fail(context, (parameter) => t('api.parameters.boolean', { parameter }));
      return TRUE.has(text);
    })
    .meta({ type: 'boolean' });
}

export function text() {
  return z
    .unknown()
    .transform(
      (value, context) => textOf(value) ?? fail(context, (parameter) => t('api.parameters.text', { parameter })),
    )
    .meta({ type: 'string' });
}

/** The largest size a parameter can name. */
export const MAX_BYTES = 10 ** 15 - 1;

export function integer({ min, max }: { min: number; max: number }) {
  return z
    .unknown()
    .transform((value, context) => {
      const written = textOf(value)?.trim() ?? '';
      const number = /^-?\d{1,15}$/.test(written) ? Number(written) : Number.NaN;
      if (Number.isNaN(number)) return fail(context, (parameter) => t('api.parameters.integer', { parameter }));
      if (number < min || number > max)
        return fail(context, (parameter) => t('api.parameters.range', { parameter, min, max }));
      return number;
    })
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** The number of a content of a file; 1 is the first one. */
export const versionNumber = () => integer({ min: 1, max: 10 ** 9 });

/** A moment, in milliseconds since the epoch; see `parseDatetime`. */
export function datetime() {
  return z
    .unknown()
    .transform((value, context) => {
      const time = parseDatetime(textOf(value)?.trim() ?? '');
      return time ?? fail(context, (parameter) => t('api.parameters.datetime', { parameter }));
    })
    .meta({ type: 'string', description: 'YYYY-MM-DD HH:MM:SS, or ISO 8601 with a zone' });
}

/** An empty value resets to the default, represented by null. */
export function orNothing<Field extends z.ZodType>(field: Field) {
  const shown = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  const { $schema, ...meta } = shown;
  return z
    .unknown()
    .transform((value, context): z.output<Field> | null => {
      if (value === '' || value === null) return null;
      const checked = field.safeParse(value);
      if (checked.success) return checked.data;
      const [issue] = checked.error.issues;
      const found = issue?.code === 'custom' ? (issue.params as Partial<ParameterProblem> | undefined) : undefined;
      const describe = found?.describe ?? ((parameter) => t('api.parameters.invalid', { parameter }));
      return fail(context, describe, found?.code);
    })
    .meta(meta);
}

export function oneOf<const Value extends string>(values: readonly Value[]) {
  return z
    .unknown()
    .transform((value, context) => {
      const found = values.find((candidate) => candidate === textOf(value));
      return found ?? fail(context, (parameter) => t('api.parameters.oneOf', { parameter, values: values.join(', ') }));
    })
    .meta({ type: 'string', enum: [...values] });
}

/** A list of keys; a single value is a list of one. Nothing is split at commas. */
export function listOf<const Value extends string>(values: readonly Value[]) {
  return z
    .unknown()
    .transform((value, context) => {
      const keys = entriesOf(value);
      const list: Value[] = [];
      for (const key of keys) {
        const found = values.find((candidate) => candidate === key);
        if (found === undefined)
          return fail(context, (parameter) =>
            typeof key === 'string'
              ? t('api.parameters.unknownEntry', { parameter, entry: key.slice(0, 60) })
              : t('api.parameters.unknownEntries', { parameter }),
          );
        list.push(found);
      }
      return list;
    })
    .meta({ type: 'array', items: { type: 'string', enum: [...values] } });
}

/** A list of whole numbers. Nothing is split at commas. @param most maximum number of entries */
export function listOfIntegers({ min, max, most }: { min: number; max: number; most: number }) {
  const one = integer({ min, max });
  return z
    .unknown()
    .transform((value, context) => {
      const entries = entriesOf(value);
      if (entries.length === 0 || entries.length > most)
        return fail(context, (parameter) => t('api.parameters.entryCount', { parameter, max: most }));
      const numbers: number[] = [];
      for (const entry of entries) {
        const checked = one.safeParse(entry);
        if (!checked.success) return fail(context, (parameter) => t('api.parameters.idEntries', { parameter }));
        numbers.push(checked.data);
      }
      return numbers;
    })
    .meta({ type: 'array', items: { type: 'integer', minimum: min, maximum: max } });
}

/** A list of texts; a single empty value is an empty list. */
export function textList() {
  return z
    .unknown()
    .transform((value, context) => {
      if (value === '') return [];
      const entries = entriesOf(value);
      const texts: string[] = [];
      for (const entry of entries) {
        const written = textOf(entry);
        if (written === null) return fail(context, (parameter) => t('api.parameters.textList', { parameter }));
        if (written !== '') texts.push(written);
      }
      return texts;
    })
    .meta({ type: 'array', items: { type: 'string' } });
}

/** §2.1: a path of segments, as an array without the empty ones. `/` is the empty array. */
export function virtualPath() {
  return z
    .unknown()
    .transform((value, context) => {
      const path = textOf(value);
      if (path === null) return fail(context, (parameter) => t('api.parameters.text', { parameter }));
      const segments = path.split('/').filter((segment) => segment !== '');
      if (!path.startsWith('/'))
        return fail(context, (parameter) => t('api.parameters.pathStart', { parameter }), 'invalid_path');
      if (segments.length > MAX_SEGMENTS || Buffer.byteLength(path) > MAX_PATH) {
        return fail(context, (parameter) => t('api.parameters.pathLength', { parameter }), 'invalid_path');
      }
      if (!segments.every(isReachable)) {
        return fail(context, (parameter) => t('api.parameters.pathSegment', { parameter }), 'invalid_path');
      }
      return segments;
    })
    .meta({ type: 'string', pattern: '^/', description: 'A virtual path, such as /ROOT/HOME/Photos.' });
}

/** The `uuid` of a file or folder. */
export function uuid() {
  return z
    .unknown()
    .transform((value, context) => {
      const written = textOf(value)?.trim().toLowerCase() ?? '';
      const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(written);
      return isUuid ? written : fail(context, (parameter) => t('api.parameters.uuid', { parameter }));
    })
    .meta({ type: 'string', format: 'uuid', description: 'The uuid of a file or folder.' });
}

const NAMES_ITEM = new WeakSet<z.ZodType>();

/**
 * The fields that name the item of an operation: `path`, `uuid`, or both if they name the same item. One of them must be sent.
 */
export function itemName() {
  const path = virtualPath()
    .optional()
    .describe('Virtual path of the item, such as /ROOT/HOME/Photos. Required unless uuid is sent.');
  NAMES_ITEM.add(path);
  return { path, uuid: uuid().optional().describe('The uuid of the item, instead of path.') };
}

/** Whether a field of an operation is the path of its item, for which `uuid` can be sent instead. */
export function isItemPath(field: unknown): boolean {
  return field instanceof Object && NAMES_ITEM.has(field as z.ZodType);
}

/** Virtual paths, each on its own. @param most how many */
export function virtualPaths(most: number) {
  const one = virtualPath();
  return z
    .unknown()
    .transform((value, context) => {
      const entries = entriesOf(value);
      if (entries.length === 0 || entries.length > most)
        return fail(context, (parameter) => t('api.parameters.entryCount', { parameter, max: most }));
      const paths: string[][] = [];
      for (const entry of entries) {
        const checked = one.safeParse(entry);
        if (!checked.success)
          return fail(context, (parameter) => t('api.parameters.pathEntries', { parameter }), 'invalid_path');
        paths.push(checked.data);
      }
      return paths;
    })
    .meta({ type: 'array', items: { type: 'string', pattern: '^/' }, description: 'Virtual paths.' });
}

/** Texts, or lists of them, by keys: `fields[7]=a`, `meta[tag][]=b`. */
export function keyedTexts() {
  const texts = textList();
  return z
    .unknown()
    .transform((value, context) => {
      // What has no keys at all is an empty list in JSON, and an empty text in a form.
      if (value === '' || (Array.isArray(value) && value.length === 0)) return new Map<string, string[]>();
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return fail(context, (parameter) => t('api.parameters.keys', { parameter }));
      }
      const byKey = new Map<string, string[]>();
      for (const [key, entry] of Object.entries(value)) {
        const checked = texts.safeParse(entry);
        if (!checked.success)
          return fail(context, (parameter) => t('api.parameters.keyedTextList', { parameter, key: key.slice(0, 60) }));
        byKey.set(key, checked.data);
      }
      return byKey;
    })
    .meta({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } });
}

/**
 * A list of objects: in JSON, or as one text of JSON in a form.
 * @param entry what each is, and nothing else @param most how many
 */
export function records<Entry extends z.ZodObject>(entry: Entry, most: number) {
  return z
    .unknown()
    .transform((value, context): z.output<Entry>[] => {
      const entries = typeof value === 'string' ? jsonOf(value) : value;
      if (!Array.isArray(entries)) return fail(context, (parameter) => t('api.parameters.records', { parameter }));
      if (entries.length === 0 || entries.length > most)
        return fail(context, (parameter) => t('api.parameters.entryCount', { parameter, max: most }));
      return entries.map((one, index) => {
        const checked = entry.safeParse(one);
        if (checked.success) return checked.data;
        return fail(context, (parameter) => t('api.parameters.recordEntry', { parameter, number: index + 1 }));
      });
    })
    .meta({ type: 'array', items: z.toJSONSchema(entry, { io: 'input' }), maxItems: most });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Those of a list, also of one whose entries are numbered; a single value is a list of one. */
function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const isNumbered = keys.length > 0 && keys.every((key) => /^\d{1,15}$/.test(key));
  return isNumbered ? Object.values(value as object) : [value];
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function fail(
  context: z.RefinementCtx,
  describe: ParameterProblem['describe'],
  code?: ParameterProblem['code'],
): typeof z.NEVER {
  context.addIssue({ code: 'custom', params: { describe, code } satisfies ParameterProblem });
  return z.NEVER;
}
