import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import { coverIn } from '../text/epub.ts';
import { ZipParts } from '../text/zip-parts.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import { shrink } from './shrink.ts';

/** Bytes of a picture in a document. */
const MAX_PICTURE = 64 * 1024 * 1024;

const PICTURE = /\.(?:jpe?g|png|webp|gif|avif)$/i;
/** ECMA-376-2 §13.2.7, and where programs store it; WMF is for Windows only. */
const OFFICE_THUMBNAIL = /^docProps\/thumbnail\.(?:jpe?g|png)$/i;
/** OpenDocument 1.3 part 2, §3.8. */
const OPEN_DOCUMENT_THUMBNAIL = /^Thumbnails\/thumbnail\.png$/;

export function officeThumbnail(file: OpenInherited, shapes: readonly ThumbnailShape[]): Promise<Uint8Array[]> {
  return fromPart(file, shapes, async (parts) => parts.named(OFFICE_THUMBNAIL)[0]);
}

export function openDocumentThumbnail(file: OpenInherited, shapes: readonly ThumbnailShape[]): Promise<Uint8Array[]> {
  return fromPart(file, shapes, async (parts) => parts.named(OPEN_DOCUMENT_THUMBNAIL)[0]);
}

export function epubThumbnail(file: OpenInherited, shapes: readonly ThumbnailShape[]): Promise<Uint8Array[]> {
  return fromPart(file, shapes, async (parts) => (await coverIn(parts)) ?? undefined);
}

/** The first page. */
export function comicThumbnail(file: OpenInherited, shapes: readonly ThumbnailShape[]): Promise<Uint8Array[]> {
  return fromPart(file, shapes, async (parts) => parts.named(PICTURE).find((name) => !name.startsWith('__MACOSX/')));
}

/** @throws JobError `unsupported` when there is no such part */
async function fromPart(
  { fd, size }: OpenInherited,
  shapes: readonly ThumbnailShape[],
  find: (parts: ZipParts) => Promise<string | undefined>,
): Promise<Uint8Array[]> {
  const parts = await ZipParts.open(fd, size);
  const name = await find(parts);
  if (name === undefined || !parts.has(name)) throw new JobError('unsupported', 'no picture in it');
  return shrink(await parts.bytes(name, MAX_PICTURE), shapes);
}
