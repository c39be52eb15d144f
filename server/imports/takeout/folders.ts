/** `Photos from 2019` in the languages whose folders have been seen, and the days of older exports. */
const OF_YEAR =
  /^(?:photos from|photos de|photos du|fotos von|fotos aus|fotos de|fotos del|foto del|foto dal|foto['’]s uit|foto fra|foto från|bilder från|bilder fra|billeder fra|kuvat vuodelta|zdjęcia z|fotky z|fotografie z|fényképek|фото за|фотографии за|φωτογραφίες από|fotoğraflar|foto dari) ?\d{4}\.?$/iu;
/** Of several folders of a day, the others have a number. Names of albums may begin with a date as well. */
const OF_DAY = /^\d{4}-\d\d-\d\d(?: ?[#(]\d+\)?)?$/;
const YEAR = /(?:^|\D)(?:18|19|20)\d\d(?:\D|$)/;

/**
 * Whether a folder has the photos of a year or day, and is no album.
 * @param isDescribed whether there is a JSON with a title in it, as in the folder of an album
 */
export function isTimeFolder(name: string, isDescribed: boolean): boolean {
  return OF_YEAR.test(name) || OF_DAY.test(name) || (!isDescribed && YEAR.test(name));
}
