import mime from 'mime';

/** The media type that a name stands for. */
export function mimeType(name: string): string {
  return mime.getType(name) ?? 'application/octet-stream';
}
