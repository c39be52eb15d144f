import type { Household } from '../../support/households/household.ts';
import { fillHome, picture } from '../files/support.ts';

/** Width and height of photos of all shapes, from a tall screenshot to a panorama, most of them as cameras and phones take them. */
const SHAPES = [
  [1500, 1000],
  [1000, 1500],
  [1600, 1200],
  [1600, 900],
  [1200, 1200],
  [900, 1600],
  [1500, 1000],
  [1200, 1600],
  [1600, 1200],
  [2400, 800],
  [1500, 1000],
  [600, 1800],
] as const;

export const PHOTOS = '/ROOT/HOME/Photos/Summer at the lake';
export const LONG_NAME = `A name that is long ${'and goes on '.repeat(12)}until the end.jpg`;
export const HEBREW_NAME = 'שמש מעל האגם.jpg';

/** The names of the photos in a folder, as they are sorted, and their sizes. */
export function photoNames(
  count: number,
): { readonly name: string; readonly width: number; readonly height: number }[] {
  return Array.from({ length: count }, (_, index) => {
    const [width, height] = SHAPES[index % SHAPES.length] ?? [1500, 1000];
    return { name: `Lake ${String(index + 1).padStart(2, '0')}.jpg`, width, height };
  });
}

/** Puts photos of all shapes into the folder `PHOTOS`, and has their sizes read. */
export async function photosOfAllShapes(
  household: Household,
  count: number,
  others: Record<string, string | Buffer> = {},
): Promise<void> {
  const folder = PHOTOS.replace('/ROOT/HOME/', '');
  const photos: Record<string, Buffer> = {};
  for (const [index, { name, width, height }] of photoNames(count).entries()) {
    photos[`${folder}/${name}`] = await picture(index, width, height);
  }
  const more = Object.entries(others).map(([name, content]) => [`${folder}/${name}`, content]);
  await fillHome(household.home, { ...photos, ...Object.fromEntries(more) });
  const api = await household.signIn();
  for (const { name } of photoNames(count)) await api.get('files/metadata', { path: `${PHOTOS}/${name}` });
}
