import mime from 'mime';

/** The media type for a file name. */
export function mimeType(name: string): string {
  return mime.getType(name) ?? 'application/octet-stream';
}
