import { InvalidValue } from '../fields/invalid-value.ts';
import type { FieldValue } from '../fields/values.ts';
import { normalized } from '../lib/names/normalized.ts';

/** Per item. */
export const MAX_TAGS = 100;
/** Characters of a tag or a label, as Unicode counts them. */
const MAX_MARK = 100;
export const MAX_RATING = 5;

/**
 * A tag or a label: `text`, or `text|color` with `#rgb` or `#rrggbb`. Trimmed and in NFC.
 * @throws ApiError `invalid_parameter`
 */
export function checkedMark(parameter: string, written: string): Required<FieldValue> {
  const bar = written.indexOf('|');
  const text = normalized((bar < 0 ? written : written.slice(0, bar)).trim(), 'NFC');
  const color = bar < 0 ? '' : written.slice(bar + 1).trim();
  if (text === '') throw new InvalidValue(parameter, { kind: 'emptyEntry' });
  if ([...text].length > MAX_MARK) throw new InvalidValue(parameter, { kind: 'tooLong', max: MAX_MARK });
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) {
    throw new InvalidValue(parameter, { kind: 'characters' });
  }
  if (color !== '' && !/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color)) {
    throw new InvalidValue(parameter, { kind: 'color' });
  }
  return { value: text, color: color === '' ? null : color.toLowerCase() };
}

/** The reverse, from the form in listings. */
export function markOf(text: string): Required<FieldValue> {
  const bar = text.lastIndexOf('|');
  return bar < 0 ? { value: text, color: null } : { value: text.slice(0, bar), color: text.slice(bar + 1) };
}

/** §2.5: `text|color`; only the text if it has no color. */
export function labelText({ value, color }: Required<FieldValue>): string {
  return color === null ? value : `${value}|${color}`;
}
