// Which selected photos belong together, as their names tell: a photo with its film, and the photos of a burst. In one folder they are
// one photo for everyone who looks at them (server/catalogue/photos.ts); apart they would never be.

import { groupedBy } from '../lib/grouped-by.ts';
import type { Photo } from './photo.ts';

/** The endings of a Live Photo and its film. */
const STILL = /\.(?:hei[cf]|jpe?g|dng)$/i;
const FILM = /\.(?:mov|mp4)$/i;

/** The names that Android and its cameras give to bursts: with the number of the photo, or with the time of the burst. */
const NUMBERED = /^(.*)_burst\d{1,4}(?:_cover)?\.[^.]*$/i;
const TIMED = /_burst(\d{14,17})(?:_cover)?\.[^.]*$/i;

export interface Together {
  readonly kind: 'live' | 'burst' | 'single';
  readonly photos: readonly Photo[];
}

/** Every photo in one group, in the order of the first of each. */
export function groupsOf(photos: readonly Photo[]): readonly Together[] {
  const byStem = groupedBy(photos, ({ file }) => stemOf(file.name).toLowerCase());
  const live = new Set([...byStem.values()].filter(isLive).flat());
  const named = groupedBy(photos, (photo) => (live.has(photo) ? liveKey(photo) : (burstKey(photo) ?? photo)));
  return [...named].map(([key, some]) => {
    const kind = key === some[0] ? 'single' : live.has(some[0] as Photo) ? 'live' : 'burst';
    return { kind, photos: some };
  });
}

/** Phones give one name to many photos: whose film it is would then be guessed. */
function isLive(some: readonly Photo[]): boolean {
  const names = new Set(some.map(({ file }) => file.name.toLowerCase()));
  const films = some.filter(isFilm).length;
  const stills = some.filter(({ file }) => STILL.test(file.name)).length;
  return films === 1 && stills > 0 && films + stills === some.length && names.size === some.length;
}

export const isFilm = ({ file }: Photo): boolean => FILM.test(file.name);

/** The name without its ending. */
export const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '');

/** The ending, with the dot. */
export const endingOf = (name: string): string => name.slice(stemOf(name).length);

const liveKey = ({ file }: Photo): string => `live ${stemOf(file.name).toLowerCase()}`;

function burstKey({ file }: Photo): string | null {
  const [, time] = TIMED.exec(file.name) ?? [];
  if (time !== undefined) return `time ${time}`;
  const [, prefix] = NUMBERED.exec(file.name) ?? [];
  return prefix === undefined ? null : `name ${prefix}`;
}
