/** Controls of the direction of writing, and letters that are written from right to left. */
const DIRECTED =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A name within a sentence: what it says of the direction of writing ends with it (Unicode Standard Annex 9, FSI and PDI).
 * Names that say nothing of it stay as they are.
 */
export function bidiIsolate(name: string): string {
  // The end of an isolate within the name would end ours.
  return DIRECTED.test(name) ? `\u2068${name.replaceAll('\u2069', '')}\u2069` : name;
}
