// Values in messages: names and sizes.

// Names: as on the server (`server/lib/text/bidi-isolate.ts`), of which scripts import only types.

/** Controls of the writing direction (Unicode Standard Annex 9, section 2). */
const CONTROLS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const HAS_CONTROLS = new RegExp(`[${CONTROLS}]`, 'u');
/** What this module writes, which contains no further controls. */
const OWN = `\\u2066\\u2068[^${CONTROLS}]*\\u2069[^${CONTROLS}]*\\u2069`;
const OWN_OR_CONTROL = new RegExp(`(${OWN})|[${CONTROLS}]`, 'gu');
const ENDING = /(?<=.)\.[^.\s]+$/u;

/**
 * A name for display. It cannot change the direction of the text around it, nor pretend to have another ending: controls of the
 * direction become visible as U+FFFD, and in a name with right-to-left letters the ending is always on the right, as in other
 * names (LRI, FSI and PDI of Unicode Standard Annex 9). Names without such characters, and results of this function, are
 * unchanged. Never for names that are stored, compared or sent back.
 */
export function bidiIsolate(name: string): string {
  const isVisible = !HAS_CONTROLS.test(name);
  if (isVisible && !RIGHT_TO_LEFT.test(name)) return name;
  let hasOwn = false;
  const visible = name.replace(OWN_OR_CONTROL, (_, own?: string) => {
    hasOwn ||= own !== undefined;
    return own ?? '\ufffd';
  });
  if (hasOwn || !RIGHT_TO_LEFT.test(visible)) return visible;
  const ending = ENDING.exec(visible)?.[0] ?? '';
  return `\u2066\u2068${visible.slice(0, visible.length - ending.length)}\u2069${ending}\u2069`;
}

/** The same for every text among the values of a message. Other values, such as elements, are unchanged. */
export function isolateValues<Values extends object>(values: Values = {} as Values): Values {
  const changed = Object.entries(values).flatMap(([name, value]) => {
    const shown = typeof value === 'string' ? bidiIsolate(value) : value;
    return shown === value ? [] : [[name, shown]];
  });
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) };
}

const UNITS = ['bytes', 'kilobytes', 'megabytes', 'gigabytes', 'terabytes', 'petabytes'] as const;

interface Size {
  readonly unit: (typeof UNITS)[number];
  readonly amount: string;
}

/** Steps of 1024 and three digits, like the server. */
export function sizeOf(bytes: number): Size {
  if (bytes < 1024) return { unit: 'bytes', amount: String(bytes) };
  let value = bytes / 1024;
  let unit = 1;
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return { unit: UNITS[unit] ?? 'petabytes', amount: value < 99.95 ? value.toFixed(1) : String(Math.round(value)) };
}
