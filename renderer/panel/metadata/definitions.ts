import type { Input, MethodName, Output } from '../../../server/control/contract/contract.ts';
import { Refusal } from '../../transport/transport.ts';

export type FileType = Output<'metadata.list'>['types'][number];
export type FieldSet = Output<'metadata.list'>['sets'][number];
export type Field = FieldSet['fields'][number];
export type FieldKind = Input<'metadata.fields.add'>['kind'];

/** Queries to refetch after a change. */
export const STALE = ['metadata.list', 'activity.list'] as const satisfies readonly MethodName[];

/** The server's error for a field of the form. */
export function problemAt(error: Error | null, field: string): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  return error.failure.field?.split('.')[0] === field ? error.message : undefined;
}

/** The server's error that concerns no field, shown above the form. */
export function problemBeside(error: Error | null, fields: readonly string[]): Error | null {
  return fields.some((field) => problemAt(error, field) !== undefined) ? null : error;
}

export function takesOptions(kind: FieldKind): boolean {
  return kind === 'choice' || kind === 'choices';
}
