import { foldName } from '../../lib/names/names.ts';

/** `takeout-20240520T101010Z-1-003`: which of how many is not known. */
const OF_GOOGLE = /^(?<before>takeout-.*\D)(?<number>\d{3,})$/i;
/** `iCloud Photos Part 3 of 12`, in any language. */
const OF_APPLE = /^(?<before>.*\p{L}\p{M}* )(?<number>\d{1,4})(?<between> \p{L}[\p{L}\p{M}]* )(?<total>\d{1,4})$/u;

interface Series {
  readonly nameOf: (number: number) => string;
  readonly there: Set<number>;
  /** Parts that there are at least. */
  total: number;
}

/** Whether a file has a name that exports have. */
export function isNamedAsExport(name: string): boolean {
  return /\.zip$/i.test(name) && (OF_APPLE.test(stemOf(name)) || /^(?:takeout|icloud)/i.test(name));
}

/**
 * The parts of exports that are not among archives, as far as the names say so: those before the last one, and for Apple, whose
 * names state how many there are, also those after it.
 * @returns names that the missing archives usually have, in their order
 */
export function missingParts(names: readonly string[]): string[] {
  const all = new Map<string, Series>();
  for (const name of names) {
    const stem = stemOf(name);
    const { before, number, between, total } = (OF_GOOGLE.exec(stem) ?? OF_APPLE.exec(stem))?.groups ?? {};
    if (before === undefined || number === undefined) continue;
    const end = between === undefined ? '' : `${between}${total}`;
    const key = foldName(`${before}0${end}`);
    const series = all.get(key) ?? {
      nameOf: (part: number) =>
        `${before}${String(part).padStart(number.startsWith('0') ? number.length : 1, '0')}${end}.zip`,
      there: new Set(),
      total: Number(total ?? 0),
    };
    all.set(key, series);
    series.there.add(Number(number));
    series.total = Math.max(series.total, Number(number));
  }
  return [...all.values()].flatMap(({ nameOf, there, total }) =>
    Array.from({ length: Math.min(total, MAX_PARTS) }, (_, index) => index + 1)
      .filter((part) => !there.has(part))
      .map(nameOf),
  );
}

/** A name that only looks like that of a part has other numbers. */
const MAX_PARTS = 2_000;

/** Without the ending, and without what browsers add to the name of a second download. */
function stemOf(name: string): string {
  return name.replace(/\.zip$/i, '').replace(/ ?\(\d{1,3}\)$/, '');
}
