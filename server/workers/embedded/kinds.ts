/** The readers of embedded metadata. Loaded in the worker only. */
export const EMBEDDED_READERS = [
  'image',
  'video',
  'audio',
  'pdf',
  'office',
  'binaryOffice',
  'opendocument',
  'epub',
] as const;

export type EmbeddedReader = (typeof EMBEDDED_READERS)[number];

/** The only table of readable files, by extension; the bytes decide on the format. */
const BY_EXTENSION: ReadonlyMap<string, EmbeddedReader> = new Map(
  Object.entries({
    image:
      'jpg jpeg jpe jfif insp png apng gif webp avif heic heif tif tiff bmp dng cr2 cr3 nef nrw arw orf rw2 raf pef srw 3fr',
    video: 'mp4 m4v mov 3gp 3g2 mkv webm avi divx wmv asf ogv',
    audio: 'mp3 m4a m4b aac flac ogg oga opus wav aif aiff wma ape',
    pdf: 'pdf',
    office: 'docx docm dotx xlsx xlsm pptx pptm ppsx',
    binaryOffice: 'doc dot xls ppt pps',
    opendocument: 'odt ott ods ots odp otp',
    epub: 'epub',
  }).flatMap(([reader, extensions]) => extensions.split(' ').map((extension) => [extension, reader as EmbeddedReader])),
);

/** The reader for a file, or null. */
export function embeddedReaderOf(extension: string): EmbeddedReader | null {
  return BY_EXTENSION.get(extension) ?? null;
}
