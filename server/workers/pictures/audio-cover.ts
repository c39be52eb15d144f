import { parseFile, selectCover } from 'music-metadata';
import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import { shrink } from './shrink.ts';

/** The cover of an audio file: the one marked as front, or the first. @throws JobError */
export async function audioThumbnail(
  { path }: OpenInherited,
  shapes: readonly ThumbnailShape[],
): Promise<Uint8Array[]> {
  const { common } = await parseFile(path, { skipPostHeaders: true }).catch((error: Error) => {
    throw new JobError('unsupported', error.message);
  });
  const cover = selectCover(common.picture);
  if (cover === null) throw new JobError('unsupported', 'no cover in it');
  return shrink(cover.data, shapes);
}
