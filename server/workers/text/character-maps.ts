import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** A predefined character map, and the map from the characters of a collection to Unicode (ISO 32000-1, 9.7.5.2 and 9.10.2). */
const NAME = /^[\w-]+\.bcmap$/;

/**
 * Gives pdf.js the character maps that are installed with it, for documents that name one in place of containing it, as most do
 * in Chinese, Japanese and Korean. By itself it would request them from an address.
 */
export class CharacterMaps {
  /** @throws Error for any other file */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl' || !NAME.test(filename)) throw new Error(`${filename} is no character map`);
    return new Uint8Array(await readFile(join(dirname(resolve('pdfjs-dist/package.json')), 'cmaps', filename)));
  }
}
