import { answerJobs } from './answer-jobs.ts';
import { type OpenInherited, withInherited } from './inherited-file.ts';
import { JobError } from './job-error.ts';
import { isHeic } from './pictures/brands.ts';
import { shrink } from './pictures/shrink.ts';
import { isThumbnail, type ThumbnailShape, thumbnailJobs } from './thumbnails/jobs.ts';
import type { ThumbnailSource } from './thumbnails/kinds.ts';

type MakeThumbnails = (
  file: OpenInherited,
  shapes: readonly ThumbnailShape[],
  ffmpeg: string | null,
) => Promise<Uint8Array[]>;

/** Sources that photos do not need are loaded on first use. */
const MAKERS: Readonly<Record<ThumbnailSource, MakeThumbnails>> = {
  picture: async (file, shapes) =>
    isHeic(file) ? (await import('./pictures/heic.ts')).heicThumbnail(file, shapes) : shrink(file.path, shapes),
  drawing: async (file, shapes) => (await import('./pictures/drawing.ts')).drawingThumbnail(file, shapes),
  raw: async (file, shapes) => (await import('./pictures/raw-preview.ts')).rawThumbnail(file, shapes),
  audio: async (file, shapes) => (await import('./pictures/audio-cover.ts')).audioThumbnail(file, shapes),
  comic: async (file, shapes) => (await import('./pictures/document-cover.ts')).comicThumbnail(file, shapes),
  epub: async (file, shapes) => (await import('./pictures/document-cover.ts')).epubThumbnail(file, shapes),
  office: async (file, shapes) => (await import('./pictures/document-cover.ts')).officeThumbnail(file, shapes),
  opendocument: async (file, shapes) =>
    (await import('./pictures/document-cover.ts')).openDocumentThumbnail(file, shapes),
  pdf: async (file, shapes) => (await import('./pictures/pdf-page.ts')).pdfThumbnail(file, shapes),
  video: async (file, shapes, ffmpeg) =>
    (await import('./pictures/video-frame.ts')).videoThumbnail(file, shapes, ffmpeg),
};

answerJobs(thumbnailJobs, {
  thumbnail: ({ file, source, ffmpeg, shapes }) =>
    withInherited(file, async (opened) => {
      const pictures = await MAKERS[source](opened, shapes, ffmpeg);
      const isWhole = shapes.every(({ format }, index) => isThumbnail(pictures[index] ?? new Uint8Array(), format));
      if (!isWhole) throw new JobError('corrupt', 'what came out is no picture');
      return { pictures };
    }),
});
