import { newNameProblem } from '../../lib/names/names.ts';
import { suffixedName } from '../../lib/names/numbered-name.ts';

/** `Photos from 2019` in the languages whose folders have been seen, and the days of older exports. */
const OF_YEAR =
  /^(?:photos from|photos de|photos du|fotos von|fotos aus|fotos de|fotos del|foto del|foto dal|foto['’]s uit|foto fra|foto från|bilder från|bilder fra|billeder fra|kuvat vuodelta|zdjęcia z|fotky z|fotografie z|fényképek|фото за|фотографии за|φωτογραφίες από|fotoğraflar|foto dari) ?\d{4}\.?$/iu;
const OF_DAY = /^\d{4}-\d\d-\d\d(?: .*)?$/;
const YEAR = /(?:^|\D)(?:18|19|20)\d\d(?:\D|$)/;

/**
 * Whether a folder has the photos of a year or day, and is no album.
 * @param isDescribed whether there is a JSON with a title in it, as in the folder of an album
 */
export function isTimeFolder(name: string, isDescribed: boolean): boolean {
  return OF_YEAR.test(name) || OF_DAY.test(name) || (!isDescribed && YEAR.test(name));
}

/** A name that new files and folders may have, from one of an archive. */
export function allowedName(name: string): string {
  if (newNameProblem(name) === null) return name;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no name may contain
  const written = name.toWellFormed().replace(/[/\\:*?"<>|\u0000-\u001f\u007f]/g, '_');
  const short = suffixedName(written.replace(/[. ]+$/, ''), '');
  if (newNameProblem(short) === null) return short;
  const other = suffixedName(`_${short}`, '');
  return newNameProblem(other) === null ? other : '_';
}
