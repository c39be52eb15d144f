import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = 16 * 2 ** 20;

/** A file that no file system can make smaller: blocks of random bytes. Freshly written, it is in memory. */
export function writeContent(file: string, size: number): void {
  const block = randomBytes(Math.min(BLOCK, size));
  const opened = openSync(file, 'wx');
  for (let written = 0; written < size; ) {
    written += writeSync(opened, block, 0, Math.min(block.length, size - written));
  }
  closeSync(opened);
}

/** A file of zeros that takes no room. Sent, it is as long as any other. */
export function writeHole(file: string, size: number): void {
  writeFileSync(file, '', { flag: 'wx' });
  truncateSync(file, size);
}

/** Files of a few bytes, with names as cameras give them. @param extension of a kind that is read in the background, or not */
export function writeFiles(folder: string, count: number, extension = 'jpg'): void {
  for (let n = 0; n < count; n += 1)
    writeFileSync(join(folder, `IMG_${String(n).padStart(5, '0')}.${extension}`), `file ${n}\n`);
}

/** `folders` folders of `files` files each. @returns their names */
export function writeTree(folder: string, folders: number, files: number): string[] {
  const names = Array.from({ length: folders }, (_, n) => `folder ${n}`);
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFiles(join(folder, name), files);
  }
  return names;
}
