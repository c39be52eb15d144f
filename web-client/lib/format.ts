// Values in messages: names and sizes.

const HAS_DIRECTION =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Isolates a name that could change the direction of the sentence around it (Unicode Bidirectional Algorithm, UAX #9). */
const bidiIsolate = (name: string): string =>
  HAS_DIRECTION.test(name) ? `\u2068${name.replaceAll('\u2069', '')}\u2069` : name;

/** The same for every text among the values of a message. */
export const isolateValues = (values: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? bidiIsolate(value) : value]),
  );

const UNITS = ['bytes', 'kilobytes', 'megabytes', 'gigabytes', 'terabytes', 'petabytes'] as const;

export interface Size {
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
