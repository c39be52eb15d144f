/**
 * The stars of a rating as XMP and EXIF have it (XMP specification, part 1, 8.4; EXIF tag 0x4746).
 * @returns 0 for a photo without stars or one that was rejected, which is -1; undefined for anything else
 */
export function starsOf(rating: string | number | undefined): number | undefined {
  const value = numberIn(rating);
  if (value === undefined || value < -1 || value > 5) return undefined;
  return Math.max(0, Math.round(value));
}

/** The same as Windows has it in percent (EXIF tag 0x4749): 1, 25, 50, 75 and 99 stand for one to five stars. */
export function starsOfPercent(rating: string | number | undefined): number | undefined {
  const value = numberIn(rating);
  if (value === undefined || value < 0 || value > 100) return undefined;
  return value === 0 ? 0 : Math.min(5, Math.round(value / 25) + 1);
}

function numberIn(value: string | number | undefined): number | undefined {
  if (typeof value === 'string' && !/^\s*[+-]?\d{1,3}(?:\.\d{1,20})?\s*$/.test(value.slice(0, 40))) return undefined;
  const number = value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}
