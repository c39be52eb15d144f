import { type OpenInherited, readStart } from '../inherited-file.ts';

const HEVC = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'];
/** Bytes for more brands than any real file has. */
const HEAD = 128;

/**
 * Whether a file declares itself as HEIF with HEVC images (ISO/IEC 14496-12 §4.3; ISO/IEC 23008-12 annex B.4), whatever its name.
 */
export function isHeic({ fd, size }: OpenInherited): boolean {
  const head = readStart(fd, size, HEAD);
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(head.readUInt32BE(0), head.length);
  for (let at = 8; at + 4 <= end; at += 4) if (HEVC.includes(head.toString('latin1', at, at + 4))) return true;
  return false;
}
