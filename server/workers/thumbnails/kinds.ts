/** What can make a small picture of a file. Loaded in the worker only. */
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

/** The one table of which files may have a thumbnail, by their extensions. What is in them decides in the end. */
const BY_EXTENSION: ReadonlyMap<string, ThumbnailSource> = new Map(
  Object.entries({
    picture: 'jpg jpeg jpe jfif png apng gif webp avif heic heif tif tiff',
    drawing: 'svg',
    raw: 'dng cr2 cr3 nef arw orf rw2 raf pef srw 3fr',
    audio: 'mp3 m4a m4b flac ogg oga opus wma aif aiff wav ape',
    comic: 'cbz',
    epub: 'epub',
    office: 'docx docm dotx xlsx xlsm pptx pptm ppsx',
    opendocument: 'odt ott ods ots odp otp',
    pdf: 'pdf',
    video: 'mp4 m4v mov mkv webm avi wmv mpg mpeg mts m2ts 3gp ogv flv vob',
  }).flatMap(([source, extensions]) =>
    extensions.split(' ').map((extension) => [extension, source as ThumbnailSource] as const),
  ),
);

/** What makes the thumbnail of a file, or null when nothing does. @param extension lower case, without dot */
export function thumbnailSourceOf(extension: string): ThumbnailSource | null {
  return BY_EXTENSION.get(extension) ?? null;
}
