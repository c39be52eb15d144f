import { fileKind } from '../../lib/names/file-types.ts';

/** An entry of the archives of an export. */
export interface ExportEntry {
  /** Which archive has it, from 0. */
  readonly archive: number;
  /** Its position in that archive. */
  readonly index: number;
  /** As the archive states it, with slashes. It was checked that it leads nowhere outside of the archive. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Whether lists of photos and films show a file. */
export function isShown(name: string): boolean {
  const { type } = fileKind(name, false);
  return type === 'image' || type === 'raw' || type === 'video';
}

export function isFilm(name: string): boolean {
  return fileKind(name, false).type === 'video';
}

/** The film of a photo that moves has endings of its own: `.MP`, of which there can be several. */
const MOTION = /\.mp(?:~\d+)?$/i;

/** Whether a file is a photo or film. */
export function isMedia(name: string): boolean {
  return isShown(name) || MOTION.test(name);
}
