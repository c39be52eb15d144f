// Where photos are stored: in the chosen folder, unless the photo, the film or the burst that one belongs to is elsewhere already.

import type { Photo } from './photo.ts';
import { endingOf, isFilm, stemOf, type Together } from './together.ts';

export interface Place {
  /** Its path. */
  readonly folder: string;
  /** Without a number, if it is taken. */
  readonly name: string;
  /** Names with the same key get the same number. */
  readonly key: number | null;
}

/**
 * @param asked which photos of a group have to be sent
 * @returns the stored photos on which the places of others depend
 */
export function partnersOf(groups: readonly Together[], asked: ReadonlySet<Photo>): readonly Photo[] {
  return groups
    .filter(({ photos }) => photos.some((photo) => asked.has(photo)))
    .flatMap(({ photos }) => photos.filter((photo) => photo.sha256 !== null && !asked.has(photo)));
}

/** @param stored the paths of stored photos @param folder the chosen one */
export function placesOf(
  groups: readonly Together[],
  stored: ReadonlyMap<Photo, string>,
  folder: string,
): ReadonlyMap<Photo, Place> {
  const places = new Map<Photo, Place>();
  for (const [index, { kind, photos }] of groups.entries()) {
    const partners = photos.filter((photo) => stored.has(photo));
    // A film belongs to its photo.
    const partner = partners.find((photo) => !isFilm(photo)) ?? partners[0];
    const path = partner === undefined ? null : (stored.get(partner) ?? null);
    for (const photo of photos) {
      const { name } = photo.file;
      if (path === null) places.set(photo, { folder, name, key: kind === 'live' ? index : null });
      else {
        const slash = path.lastIndexOf('/');
        const own = kind === 'live' ? `${stemOf(path.slice(slash + 1))}${endingOf(name)}` : name;
        places.set(photo, { folder: path.slice(0, slash), name: own, key: null });
      }
    }
  }
  return places;
}
