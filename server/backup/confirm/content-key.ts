import { createHash } from 'node:crypto';

/**
 * Names a content at a path of a home. A file that was moved or changed has another key, so that nobody learns from it what is
 * elsewhere in the home.
 * @param segments below the root of the home @param sha256 hexadecimal
 */
export function contentKey(homeId: string, segments: readonly string[], sha256: string): Buffer {
  // No name contains either separator.
  const text = `${homeId}\0${segments.join('/')}\0${sha256.toLowerCase()}`;
  return createHash('sha256').update(text).digest();
}
