/** What a field takes. */
export const FIELD_KINDS = ['text', 'longtext', 'number', 'date', 'choice', 'choices', 'stars'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** Whether parts of its values are looked for; of other kinds a value is found as a whole. */
export function isSearchedByParts(kind: FieldKind): boolean {
  return kind === 'text' || kind === 'longtext' || kind === 'choice' || kind === 'choices';
}
