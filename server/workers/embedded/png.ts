import { inflateSync } from 'node:zlib';
import { utf8Or } from '../encodings/decoders.ts';
import { MAX_CHUNK, MAX_CHUNKS, withoutExifName } from './chunks.ts';
import type { PictureContent } from './image/jpeg.ts';
import type { WindowedReader } from './windowed-reader.ts';

/** Most decompressed bytes of all chunks of one picture. */
const MAX_INFLATED = 4 * 1024 * 1024;
const XMP_NAME = 'XML:com.adobe.xmp';
/** The name of XMP behind that of its segment in JPEG. */
const XMP_IN_PROFILE = 'http://ns.adobe.com/xap/1.0/\0';
/** What ImageMagick calls the metadata of other formats, written in hexadecimal digits. */
const PROFILE = /^Raw profile type (exif|APP1|xmp)$/i;

const READ = new Set(['IHDR', 'eXIf', 'iTXt', 'tEXt', 'zTXt']);

/** The PNG chunks with metadata (its third edition, 11). */
export async function readPng(reader: WindowedReader): Promise<PictureContent> {
  const texts = new PngTexts();
  let exif: Buffer | null = null;
  let [width, height] = [0, 0];
  let at = 8;
  for (let number = 0; number < MAX_CHUNKS; number += 1) {
    const head = await reader.glance(at, 8);
    if (head.length < 8) break;
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    const isRead = READ.has(type) && length <= MAX_CHUNK;
    const body = isRead ? await reader.readSome(at + 8, length) : Buffer.alloc(0);
    at += 12 + length;
    if (type === 'IHDR' && body.length >= 8) [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
    else if (type === 'eXIf' && body.length > 0) exif ??= withoutExifName(body);
    else if (type === 'IEND') break;
    else texts.add(type, body);
  }
  return { exif: exif ?? texts.exif, xmp: texts.xmp, width, height, quarters: null, words: texts.words };
}

/** What the chunks of text say, also compressed. */
class PngTexts {
  readonly words = new Map<string, string>();
  xmp: Buffer | null = null;
  exif: Buffer | null = null;
  #left = MAX_INFLATED;

  add(type: string, body: Buffer): void {
    const end = body.indexOf(0);
    if (end <= 0) return;
    const name = body.toString('latin1', 0, end);
    const text = this.#textOf(type, body, end + 1);
    const profile = PROFILE.exec(name)?.[1];
    if (text === null) return;
    if (name === XMP_NAME) this.xmp ??= text;
    else if (profile !== undefined) this.#addProfile(profile.toLowerCase(), text);
    else this.words.set(name, type === 'iTXt' ? text.toString('utf8') : utf8Or('iso-8859-1', text));
  }

  /** @param at behind the name */
  #textOf(type: string, body: Buffer, at: number): Buffer | null {
    if (type === 'tEXt') return body.subarray(at);
    // One method of compression is known: zlib.
    if (type === 'zTXt') return body[at] === 0 ? this.#inflated(body.subarray(at + 1)) : null;
    if (type !== 'iTXt') return null;
    const [isCompressed, method] = [body[at], body[at + 1]];
    const language = body.indexOf(0, at + 2);
    const translated = language < 0 ? -1 : body.indexOf(0, language + 1);
    if (translated < 0) return null;
    const text = body.subarray(translated + 1);
    if (isCompressed === 0) return text;
    return isCompressed === 1 && method === 0 ? this.#inflated(text) : null;
  }

  /** @returns null for what is damaged, or longer than may be */
  #inflated(packed: Buffer): Buffer | null {
    const limit = Math.min(MAX_CHUNK, this.#left);
    if (limit <= 0) return null;
    try {
      const bytes = inflateSync(packed, { maxOutputLength: limit });
      this.#left -= bytes.length;
      return bytes;
    } catch {
      // Nothing tells how much was decompressed in vain.
      this.#left -= limit;
      return null;
    }
  }

  /** A line with its kind, one with its length, and lines of hexadecimal digits. */
  #addProfile(kind: string, text: Buffer): void {
    const [, , length = '', ...digits] = text.toString('latin1').split(/\s+/);
    const hex = digits.join('');
    const bytes = /^\d+$/.test(length) && /^[\da-f]*$/i.test(hex) ? Buffer.from(hex, 'hex') : Buffer.alloc(0);
    if (bytes.length === 0) return;
    if (bytes.toString('latin1', 0, XMP_IN_PROFILE.length) === XMP_IN_PROFILE) {
      this.xmp ??= bytes.subarray(XMP_IN_PROFILE.length);
    } else if (kind === 'xmp') this.xmp ??= bytes;
    else this.exif ??= withoutExifName(bytes);
  }
}
