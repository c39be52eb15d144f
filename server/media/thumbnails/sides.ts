import type { ThumbnailShape } from '../../workers/thumbnails/jobs.ts';

/** Default pixels per side; also used for prefetched thumbnails. */
export const DEFAULT_SIDE = 400;

/**
 * Pixels on the longer side of the pictures on pages; all other sizes are rounded up to these, so that few are made and cached.
 * 200: an entry of a list. 400: a tile of a gallery or a film strip, and what the API makes by default. 800: the tile on a display of
 * twice the density, or of a panorama. 1,280: a phone's whole screen, the poster of a film. 2,048: the viewer, and the most that
 * workers make. Each has about twice to four times the pixels of the one before, so nothing is enlarged or reduced much.
 */
export const PICTURE_SIDES = [200, DEFAULT_SIDE, 800, 1_280, 2_048] as const;
export type PictureSide = (typeof PICTURE_SIDES)[number];

/** The next larger one, or the largest. */
export function pictureSide(pixels: number): PictureSide {
  return PICTURE_SIDES.find((side) => side >= pixels) ?? 2_048;
}

/** The whole picture in one of these sizes. */
export function pictureShape(side: PictureSide, format: ThumbnailShape['format']): ThumbnailShape {
  return { width: side, height: side, fit: 'contain', format };
}

/** Whether several of such shapes can be made from one decoding: all of them show the whole picture. */
export function isPictureShape({ width, height, fit }: ThumbnailShape): boolean {
  return fit === 'contain' && width === height && PICTURE_SIDES.some((side) => side === width);
}
