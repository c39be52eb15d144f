// Where photos are stored: in the chosen folder, unless the photo, the film or the burst that one belongs to is elsewhere already.

import { groupedBy } from '../lib/grouped-by.ts';
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
  for (const [index, group] of groups.entries()) {
    const { kind, photos } = group;
    const path = pathToFollow(group, stored, folder);
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

/**
 * The path of a stored photo beside which the others of its group belong: one in the chosen folder, otherwise in the folder with the most
 * of them. Of a burst, half have to be there: people take single photos of it elsewhere, also to where others see them.
 */
function pathToFollow({ kind, photos }: Together, stored: ReadonlyMap<Photo, string>, folder: string): string | null {
  const partners = photos.filter((photo) => stored.has(photo));
  const byFolder = groupedBy(partners, (photo) => folderOf(stored.get(photo) ?? ''));
  const most = [...byFolder.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const beside = byFolder.get(folder) ?? (kind === 'burst' && most.length * 2 < photos.length ? [] : most);
  // A film belongs to its photo.
  const partner = beside.find((photo) => !isFilm(photo)) ?? beside[0];
  return partner === undefined ? null : (stored.get(partner) ?? null);
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
