import type { PictureSize } from '../../fields/sizes-and-lengths.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { DEFAULT_SIDE, PICTURE_SIDES, type PictureSide, pictureSide } from '../../media/thumbnails/sides.ts';

/** The address of a picture whose longer side has so many pixels at most. */
export type PictureAddress = (side: PictureSide) => string;

/** Proportions of tiles; narrower and wider pictures are shown whole in a tile of these. */
const NARROWEST = 0.4;
const WIDEST = 4;
/** Of a tile whose picture has a size that is not known yet. */
const USUAL = 4 / 3;

/** CSS pixels: the least height of a row, see `fitted.css`. */
const ROW = 212;
const ROW_ON_PHONES = 120;
/** How much wider than its least width a tile usually is on a phone, where rows have few tiles. */
const GROWTH_ON_PHONES = 1.35;
/** Of displays that are usual. */
const DENSITY = 2;

/** The proportions of a tile, width to height. */
function proportions(size: PictureSize | null): number {
  return size === null ? USUAL : Math.min(WIDEST, Math.max(NARROWEST, size.width / size.height));
}

/**
 * The classes that give a tile its proportions: the policy of the pages allows no inline styles, so each digit has a class
 * (`fitted.css`).
 */
export function fittedClasses(size: PictureSize | null): string {
  const [ones = '', digits = ''] = proportions(size).toFixed(3).split('.');
  return ['fitted', `r${ones}`, ...[...digits].map((digit, place) => `r${'-'.repeat(place + 1)}${digit}`)].join(' ');
}

/** The image of a tile: lazy, and in the sizes that its row may need. */
export function fittedImage(
  address: PictureAddress,
  size: PictureSize | null,
  { alt, title }: { readonly alt: string; readonly title?: string },
): Html {
  const ratio = proportions(size);
  const longer = Math.max(1, ratio);
  const least = Math.max(DEFAULT_SIDE, pictureSide(Math.round(ROW * longer) * 0.95));
  const most = Math.max(least, pictureSide(ROW * longer * DENSITY * 0.95));
  const sides = PICTURE_SIDES.filter((side) => side >= least && side <= most);
  const sizes = `(max-width: 719px) ${Math.round(ratio * ROW_ON_PHONES * GROWTH_ON_PHONES)}px, ${Math.round(ratio * ROW)}px`;
  const named = title === undefined ? html`` : html` title="${title}"`;
  return html`<img class="photo" src="${address(sides[0] ?? DEFAULT_SIDE)}" srcset="${sourceSet(address, size, sides)}" sizes="${sizes}"${dimensions(size)} loading="lazy" decoding="async" alt="${alt}"${named}>`;
}

/** The image of one file, which fills most of the window. */
export function wholeImage(address: PictureAddress, size: PictureSize | null, alt: string, name: string): Html {
  const sides = PICTURE_SIDES.filter((side) => side >= 800);
  return html`<img class="${name}" src="${address(2_048)}" srcset="${sourceSet(address, size, sides)}" sizes="100vw"${dimensions(size)} alt="${alt}">`;
}

function dimensions(size: PictureSize | null): Html {
  return size === null ? html`` : html` width="${size.width}" height="${size.height}"`;
}

/** With the real widths of the pictures, which are never enlarged. */
function sourceSet(address: PictureAddress, size: PictureSize | null, sides: readonly PictureSide[]): string {
  const whole = size === null ? Number.POSITIVE_INFINITY : Math.max(size.width, size.height);
  const largest = sides.findIndex((side) => side >= whole);
  return sides
    .slice(0, largest < 0 ? sides.length : largest + 1)
    .map((side) => {
      const width = size === null ? side : Math.max(1, Math.round((Math.min(side, whole) * size.width) / whole));
      return `${address(side)} ${width}w`;
    })
    .join(', ');
}
