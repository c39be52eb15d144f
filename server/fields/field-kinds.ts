/** The kinds of fields. */
export const FIELD_KINDS = ['text', 'longtext', 'number', 'date', 'choice', 'choices', 'stars'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** Whether searches match parts of its values; other kinds match whole values only. */
export function isSearchedByParts(kind: FieldKind): boolean {
  return kind === 'text' || kind === 'longtext' || kind === 'choice' || kind === 'choices';
}
