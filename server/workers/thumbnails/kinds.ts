/** The sources of thumbnails. Loaded in the worker only. */
export const THUMBNAIL_SOURCES = [
  'picture',
  'drawing',
  'raw',
  'audio',
  'comic',
  'epub',
  'office',
  'opendocument',
  'pdf',
  'video',
] as const;

export type ThumbnailSource = (typeof THUMBNAIL_SOURCES)[number];

/** The only table of files that may have a thumbnail, by extension. The content decides in the end. */
const BY_EXTENSION: ReadonlyMap<string, ThumbnailSource> = new Map(
  Object.entries({
    picture: 'jpg jpeg jpe jfif insp png apng gif webp avif heic heif tif tiff',
    drawing: 'svg',
    raw: 'dng cr2 cr3 nef nrw arw orf rw2 raf pef srw 3fr',
    audio: 'mp3 m4a m4b flac ogg oga opus wma aif aiff wav ape',
    comic: 'cbz',
    epub: 'epub',
    office: 'docx docm dotx xlsx xlsm pptx pptm ppsx',
    opendocument: 'odt ott ods ots odp otp',
    pdf: 'pdf',
    video: 'mp4 m4v mov mkv webm avi divx wmv asf mpg mpeg mpe mod tod mmv m2t mts m2ts 3gp 3g2 ogv flv vob',
  }).flatMap(([source, extensions]) =>
    extensions.split(' ').map((extension) => [extension, source as ThumbnailSource] as const),
  ),
);

/** The source of a file's thumbnail, or null. @param extension lower case, without dot */
export function thumbnailSourceOf(extension: string): ThumbnailSource | null {
  return BY_EXTENSION.get(extension) ?? null;
}
