/** Controls of the writing direction, and right-to-left letters. */
const DIRECTED =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A name within a sentence: its effect on the writing direction ends with it (Unicode Standard Annex 9, FSI and PDI). Names
 * without such an effect are unchanged.
 */
export function bidiIsolate(name: string): string {
  // The end of an isolate within the name would end ours.
  return DIRECTED.test(name) ? `\u2068${name.replaceAll('\u2069', '')}\u2069` : name;
}
