// Sentences with values in them: names, counts and sizes.

const HAS_DIRECTION =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Isolates a name that could change the direction of the sentence around it (Unicode Bidirectional Algorithm, UAX #9). */
const bidiIsolate = (name: string): string =>
  HAS_DIRECTION.test(name) ? `\u2068${name.replaceAll('\u2069', '')}\u2069` : name;

/** Puts values into the places of a sentence: `{0}`, `{1}`. */
export function fill(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replace(/\{(\d)\}/g, (_, index) => bidiIsolate(String(values[Number(index)])));
}

export const formatCount = (count: number): string => count.toLocaleString('en-GB');

/** Steps of 1024 and three digits, as the server writes sizes. @param units their names, bytes first */
export function formatSize(units: readonly string[], bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} ${units[0]}`;
  let value = bytes / 1024;
  let unit = 1;
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
