import type { SeenMember, VisibleAlbum } from './visible-albums.ts';

/** An album in which each film of a Live Photo is one with its photo. */
export interface WholeAlbum extends VisibleAlbum {
  /** The films that are one with photos of the album, by the ids of these photos. */
  readonly filmsOf: ReadonlyMap<number, readonly SeenMember[]>;
}

/**
 * An album as the pages show it. A film is one with its photo if both are in the album, added by the same account: otherwise, what
 * may be done with one of them might not be allowed with the other.
 */
export function wholeAlbum(album: VisibleAlbum): WholeAlbum {
  const byItem = new Map(album.members.map((member) => [member.item, member]));
  const filmsOf = new Map<number, SeenMember[]>();
  const members = album.members.filter((member) => {
    const still = member.isFilm && member.partOf !== null ? byItem.get(member.partOf) : undefined;
    if (still === undefined || still.isFilm || still.addedBy !== member.addedBy) return true;
    filmsOf.set(still.item, [...(filmsOf.get(still.item) ?? []), member]);
    return false;
  });
  const films = members.filter(({ isFilm }) => isFilm).length;
  const cover = byItem.get(album.coverId ?? 0);
  // The photo stands for its film, also as the cover.
  const isInside = cover !== undefined && filmsOf.get(cover.partOf ?? 0)?.includes(cover) === true;
  const coverId = isInside ? cover.partOf : album.coverId;
  return { ...album, members, films, photos: members.length - films, coverId, filmsOf };
}
