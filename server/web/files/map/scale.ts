/** Widths of views in degrees: of those that show degrees evenly, and of those that show land in its shape. */
const EVEN = 180;
const SHAPED = 45;

/**
 * The height of a view, which is half as high as wide on the screen. The world shows degrees evenly, so that all of it fits. Nearer,
 * degrees of latitude are stretched as they are on the ground in the middle of the view.
 *
 * @param latitude of the middle, in degrees
 * @param width in degrees of longitude
 * @returns degrees of latitude
 */
export function heightOf(latitude: number, width: number): number {
  const nearness = Math.min(1, Math.max(0, Math.log2(EVEN / width) / Math.log2(EVEN / SHAPED)));
  const shape = Math.cos((latitude * Math.PI) / 180);
  return (width / 2) * (1 + nearness * (shape - 1));
}
