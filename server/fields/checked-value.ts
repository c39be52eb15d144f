import { normalized } from '../lib/names/normalized.ts';
import type { FieldDefinition } from './definitions.ts';
import type { ValueFault } from './invalid-value.ts';
import { MAX_LONG_VALUE, MAX_VALUE } from './values.ts';

const MAX_STARS = 5;

/** Why a field does not accept a value, as the end of a sentence. */
export class ValueProblem extends Error {
  readonly fault: ValueFault;

  constructor(fault: ValueFault) {
    super(`a field does not take this value: ${fault.kind}`);
    this.fault = fault;
  }
}

/**
 * The values as stored; empty texts are dropped.
 * @throws ValueProblem
 */
export function checkedValues(field: Pick<FieldDefinition, 'kind' | 'options'>, given: readonly string[]): string[] {
  const values = given.filter((text) => text.trim() !== '');
  if (values.length > 1 && field.kind !== 'choices') {
    throw new ValueProblem({ kind: 'single' });
  }
  return [...new Set(values.map((text) => checkedValue(field, text)))];
}

function checkedValue({ kind, options }: Pick<FieldDefinition, 'kind' | 'options'>, given: string): string {
  const text = normalized(given.replace(/\r\n?/g, '\n').trim(), 'NFC');
  switch (kind) {
    case 'text':
      return checkedText(text, MAX_VALUE, /\p{Cc}/u);
    case 'longtext':
      return checkedText(text, MAX_LONG_VALUE, /[^\P{Cc}\n]/u);
    case 'number':
      return plainNumber(text) ?? refuse({ kind: 'number' });
    case 'date':
      return plainDate(text) ?? refuse({ kind: 'date' });
    case 'stars':
      return /^[0-5]$/.test(text) ? text : refuse({ kind: 'stars', max: MAX_STARS });
    case 'choice':
    case 'choices':
      return options.find((option) => option === text) ?? refuse({ kind: 'option' });
  }
}

function refuse(fault: ValueFault): never {
  throw new ValueProblem(fault);
}

function checkedText(text: string, most: number, forbidden: RegExp): string {
  if ([...text].length > most) refuse({ kind: 'tooLong', max: most });
  if (forbidden.test(text) || !text.isWellFormed()) {
    refuse({ kind: 'characters' });
  }
  return text;
}

/** A number in canonical form, so that equal ones have equal texts; null for anything else. */
export function plainNumber(text: string): string | null {
  const match = /^([+-]?)0*(\d{1,15})(?:\.(\d{1,10}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const rest = fraction.replace(/0+$/, '');
  const size = rest === '' ? whole : `${whole}.${rest}`;
  return sign === '-' && size !== '0' ? `-${size}` : size;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:\d\d)?)?$/;

/** A date, or a date and time with or without a zone, in ISO 8601; null for anything else. */
function plainDate(text: string): string | null {
  const match = DATE.exec(text.trim());
  if (match === null) return null;
  const [, year, month, day, hour, minute, second = '00', zone = ''] = match;
  const date = `${year}-${month}-${day}`;
  const time = hour === undefined ? '' : `T${hour}:${minute}:${second}`;
  const read = new Date(`${date}${time === '' ? 'T00:00:00' : time}Z`);
  const isReal = !Number.isNaN(read.getTime()) && read.toISOString().startsWith(`${date}${time}`);
  const isZone = zone === '' || zone === 'Z' || (Number(zone.slice(1, 3)) < 15 && Number(zone.slice(4)) < 60);
  return isReal && isZone ? `${date}${time}${zone}` : null;
}

/** Whether people may write a field: not embedded metadata, nor marks, which have their own operations. */
export function isWritable({ system }: FieldDefinition): boolean {
  return system === null;
}
