const PLACE = /^\s*([+-]\d{2,6}(?:\.\d{1,20})?)([+-]\d{3,7}(?:\.\d{1,20})?)/;
/** What some programs write: as many digits as there are. */
const LOOSE = /^\s*([+-]\d{1,2}(?:\.\d{1,20})?)([+-]\d{1,3}(?:\.\d{1,20})?)(?![\d.])/;

/**
 * A place as ISO 6709, annex H, has it: `+37.3318-122.0312+010/`, with minutes `+3719.908-12201.872/`, with seconds
 * `+371954.5-1220152.3/`.
 * @returns degrees of latitude and longitude; null for anything else
 */
export function iso6709(text: string): readonly [latitude: number, longitude: number] | null {
  const short = text.slice(0, 100);
  const [, latitude, longitude] = LOOSE.exec(short) ?? PLACE.exec(short) ?? [];
  if (latitude === undefined || longitude === undefined) return null;
  return [degrees(latitude, 2), degrees(longitude, 3)];
}

/** @param digits of the degrees; every two digits behind them are minutes, and then seconds */
function degrees(text: string, digits: number): number {
  const [whole = '', fraction = ''] = text.slice(1).split('.');
  const parts = [whole.slice(0, digits), ...(whole.slice(digits).match(/../g) ?? [])];
  const last = parts.length - 1;
  const value = parts.reduce(
    (sum, part, index) => sum + Number(index === last ? `${part}.${fraction || '0'}` : part) / 60 ** index,
    0,
  );
  return text.startsWith('-') ? -value : value;
}
