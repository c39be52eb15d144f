import { answerJobs } from './answer-jobs.ts';
import { type OpenInherited, withInherited } from './inherited-file.ts';
import { JobError } from './job-error.ts';
import { isHeic } from './pictures/brands.ts';
import { shrink } from './pictures/shrink.ts';
import { isThumbnail, type ThumbnailShape, thumbnailJobs } from './thumbnails/jobs.ts';
import type { ThumbnailSource } from './thumbnails/kinds.ts';

type MakeThumbnail = (file: OpenInherited, shape: ThumbnailShape, ffmpeg: string | null) => Promise<Uint8Array>;

/** Sources that photos do not need are loaded on first use. */
const MAKERS: Readonly<Record<ThumbnailSource, MakeThumbnail>> = {
  picture: async (file, shape) =>
    isHeic(file) ? (await import('./pictures/heic.ts')).heicThumbnail(file, shape) : shrink(file.path, shape),
  drawing: async (file, shape) => (await import('./pictures/drawing.ts')).drawingThumbnail(file, shape),
  raw: async (file, shape) => (await import('./pictures/raw-preview.ts')).rawThumbnail(file, shape),
  audio: async (file, shape) => (await import('./pictures/audio-cover.ts')).audioThumbnail(file, shape),
  comic: async (file, shape) => (await import('./pictures/document-cover.ts')).comicThumbnail(file, shape),
  epub: async (file, shape) => (await import('./pictures/document-cover.ts')).epubThumbnail(file, shape),
  office: async (file, shape) => (await import('./pictures/document-cover.ts')).officeThumbnail(file, shape),
  opendocument: async (file, shape) =>
    (await import('./pictures/document-cover.ts')).openDocumentThumbnail(file, shape),
  pdf: async (file, shape) => (await import('./pictures/pdf-page.ts')).pdfThumbnail(file, shape),
  video: async (file, shape, ffmpeg) => (await import('./pictures/video-frame.ts')).videoThumbnail(file, shape, ffmpeg),
};

answerJobs(thumbnailJobs, {
  thumbnail: ({ file, source, ffmpeg, ...shape }) =>
    withInherited(file, async (opened) => {
      const bytes = await MAKERS[source](opened, shape, ffmpeg);
      if (!isThumbnail(bytes, shape.format)) throw new JobError('corrupt', 'what came out is no picture');
      return { bytes };
    }),
});
