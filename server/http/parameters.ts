import { z } from 'zod';
import { isReachable } from '../lib/names.ts';

/**
 * The kinds of parameters, read from text as query strings and forms carry it, or from JSON. Each says in its
 * `meta` what the OpenAPI description shows; a failure's message is the end of a sentence that begins with the
 * parameter's name.
 */

/** Deeper trees cannot be named by one path on any system. */
export const MAX_SEGMENTS = 128;
const MAX_PATH = 3_500;

const TRUE = new Set(['1', 'true', 'on', 'yes']);
const FALSE = new Set(['0', 'false', 'off', 'no', '']);

/** `1 0 true false on off yes no` and the empty string, in any case, or a JSON boolean. */
export function flag() {
  return z
    .unknown()
    .transform((value, context) => {
      const text = textOf(value)?.toLowerCase() ?? 'neither';
      if (!TRUE.has(text) && !FALSE.has(text)) return fail(context, 'is not a boolean: send 1 or 0');
      return TRUE.has(text);
    })
    .meta({ type: 'boolean' });
}

export function text() {
  return z
    .unknown()
    .transform((value, context) => textOf(value) ?? fail(context, 'is not one text'))
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
      if (Number.isNaN(number)) return fail(context, 'is not a whole number');
      if (number < min || number > max) return fail(context, `is not between ${min} and ${max}`);
      return number;
    })
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** The number of a content of a file; 1 is the first one. */
export const versionNumber = () => integer({ min: 1, max: 10 ** 9 });

export function oneOf<const Value extends string>(values: readonly Value[]) {
  return z
    .unknown()
    .transform((value, context) => {
      const found = values.find((candidate) => candidate === textOf(value));
      return found ?? fail(context, `is none of: ${values.join(', ')}`);
    })
    .meta({ type: 'string', enum: [...values] });
}

/** A list of keys; a single value is a list of one, and one comma-free text is never split. */
export function listOf<const Value extends string>(values: readonly Value[]) {
  return z
    .unknown()
    .transform((value, context) => {
      const keys = Array.isArray(value) ? value : [value];
      const list: Value[] = [];
      for (const key of keys) {
        const found = values.find((candidate) => candidate === key);
        if (found === undefined)
          return fail(context, `has an unknown entry${typeof key === 'string' ? `: ${key.slice(0, 60)}` : ''}`);
        list.push(found);
      }
      return list;
    })
    .meta({ type: 'array', items: { type: 'string', enum: [...values] } });
}

/** §2.1: a path of segments, as an array without the empty ones. `/` is the empty array. */
export function virtualPath() {
  return z
    .unknown()
    .transform((value, context) => {
      const path = textOf(value);
      if (path === null) return fail(context, 'is not one text');
      const segments = path.split('/').filter((segment) => segment !== '');
      if (!path.startsWith('/')) return fail(context, 'is not a virtual path: it starts with "/"', 'invalid_path');
      if (segments.length > MAX_SEGMENTS || Buffer.byteLength(path) > MAX_PATH) {
        return fail(context, 'is not a virtual path: it is too long', 'invalid_path');
      }
      if (!segments.every(isReachable)) {
        return fail(context, 'is not a virtual path: it has a segment that no file can have', 'invalid_path');
      }
      return segments;
    })
    .meta({ type: 'string', pattern: '^/', description: 'A virtual path.' });
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function fail(context: z.RefinementCtx, message: string, code?: 'invalid_path'): typeof z.NEVER {
  context.addIssue({ code: 'custom', message, ...(code === undefined ? {} : { params: { code } }) });
  return z.NEVER;
}
