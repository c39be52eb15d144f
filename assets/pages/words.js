// Sentences with values in them: names, numbers, sizes, and how long something will take.

const DIRECTED =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** What a name says of the direction of writing ends with it. */
const isolated = (name) => (DIRECTED.test(name) ? `\u2068${name.replaceAll('\u2069', '')}\u2069` : name);

/** Puts values into the places of a sentence: `{0}`, `{1}`. */
export function fill(sentence, ...values) {
  return sentence.replace(/\{(\d)\}/g, (_, index) => isolated(String(values[Number(index)])));
}

export const numbered = (count) => count.toLocaleString('en-GB');

/** Steps of 1024, three digits, as on the pages. @param units the words, bytes first */
export function sizeIn(units, bytes) {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} ${units[0]}`;
  let value = bytes / 1024;
  let unit = 1;
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
