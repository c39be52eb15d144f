import { type IPicture, parseFile } from 'music-metadata';
import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import { shrink } from './shrink.ts';

/** The cover of an audio file. @throws JobError */
export async function audioThumbnail(
  { path }: OpenInherited,
  shapes: readonly ThumbnailShape[],
): Promise<Uint8Array[]> {
  const { common } = await parseFile(path, { skipPostHeaders: true }).catch((error: Error) => {
    throw new JobError('unsupported', error.message);
  });
  const cover = frontCover(common.picture ?? []);
  if (cover === undefined) throw new JobError('unsupported', 'no cover in it');
  return shrink(cover.data, shapes);
}

/**
 * By the kind that ID3, FLAC and others state (ID3v2.4, 4.14: 3 is the front cover), or the name that APE gives it: the front, otherwise
 * a picture of no stated kind, otherwise the first. Icons come last, and links are no pictures.
 */
function frontCover(pictures: readonly IPicture[]): IPicture | undefined {
  const shown = pictures.filter(({ format }) => !format.includes('-->'));
  const kind = ({ type = '', name = '' }: IPicture) => `${type} ${name}`;
  return (
    shown.find((one) => /\bfront\b/i.test(kind(one))) ??
    shown.find(({ type }) => type === 'Other') ??
    shown.find((one) => !/\bicon\b/i.test(kind(one))) ??
    shown[0]
  );
}
