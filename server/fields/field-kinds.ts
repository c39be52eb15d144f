/** What a field takes. */
export const FIELD_KINDS = ['text', 'longtext', 'number', 'date', 'choice', 'choices', 'stars'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];
