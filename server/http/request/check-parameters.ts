import type { z } from 'zod';
import { t } from '../../messages/messages.ts';
import { ApiError, invalidParameter, missingParameter } from '../errors.ts';
import { isItemPath, type ParameterProblem } from './parameters.ts';
import type { RawParameters } from './read-parameters.ts';

/** As it was sent: `data[username]`. */
function written([first = '', ...rest]: readonly PropertyKey[]): string {
  return `${String(first)}${rest.map((part) => `[${String(part)}]`).join('')}`;
}

/**
 * Holds raw parameters against their declaration. Unknown ones are ignored; the first that fails is named.
 * @throws ApiError `missing_parameter`, `invalid_parameter`, `invalid_path`
 */
export function checkParameters<Schema extends z.ZodObject>(schema: Schema, raw: RawParameters): z.output<Schema> {
  for (const [name, field] of Object.entries(schema.shape)) {
    if (isItemPath(field) && raw[name] === undefined && raw.uuid === undefined) throw missingParameter(name);
    // A parameter that was sent empty counts as sent: an empty text is a value.
    if (raw[name] === undefined && !(field as z.ZodType).safeParse(undefined).success) throw missingParameter(name);
  }
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = written(issue?.path ?? []);
  const found = issue?.code === 'custom' ? (issue.params as Partial<ParameterProblem> | undefined) : undefined;
  const message = found?.describe?.(name) ?? issue?.message ?? t('api.parameters.invalid', { parameter: name });
  if (found?.code === 'invalid_path') throw new ApiError('invalid_path', message, { details: { parameter: name } });
  throw invalidParameter(name, message);
}
