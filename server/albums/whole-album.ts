import type { SeenMember, VisibleAlbum } from './visible-albums.ts';

/** An album in which a Live Photo is one photo, and so is a burst. */
export interface WholeAlbum extends VisibleAlbum {
  /** What is one with a photo of the album, by the ids of these photos: films, and other photos of a burst. */
  readonly partsOf: ReadonlyMap<number, readonly SeenMember[]>;
}

/**
 * An album as the pages show it. A film is one with its photo, and a photo with the one that stands for its burst, if both are in the
 * album, added by the same account: otherwise, what may be done with one of them might not be allowed with the other.
 */
export function wholeAlbum(album: VisibleAlbum): WholeAlbum {
  const byItem = new Map(album.members.map((member) => [member.item, member]));
  const partsOf = new Map<number, SeenMember[]>();
  const members = album.members.filter((member) => {
    const whole = wholeOf(member, byItem);
    if (whole === member) return true;
    partsOf.set(whole.item, [...(partsOf.get(whole.item) ?? []), member]);
    return false;
  });
  const films = members.filter(({ isFilm }) => isFilm).length;
  const cover = byItem.get(album.coverId ?? 0);
  // The photo stands for its parts, also as the cover.
  const coverId = cover === undefined ? album.coverId : wholeOf(cover, byItem).item;
  return { ...album, members, films, photos: members.length - films, coverId, partsOf };
}

/** The photo of the album that stands for a photo or film: of a film its photo, and of that the first of its burst. */
function wholeOf(member: SeenMember, byItem: ReadonlyMap<number, SeenMember>): SeenMember {
  let whole = member;
  // Two steps at most: the first of a burst is part of nothing.
  for (let step = 0; step < 2 && whole.partOf !== null; step += 1) {
    const next = byItem.get(whole.partOf);
    if (next === undefined || next.isFilm || next.addedBy !== member.addedBy) break;
    whole = next;
  }
  return whole;
}
