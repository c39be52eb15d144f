import { timeFieldsLength } from './zip-times.ts';

/** APPNOTE 4.3.7, 4.3.9, 4.3.12, 4.3.14 to 4.3.16, 4.5.3: bytes of the parts of an archive, without names. */
const LOCAL_HEADER = 30;
const DESCRIPTOR = 16;
const DESCRIPTOR_64 = 24;
const CENTRAL_HEADER = 46;
const CENTRAL_EXTRA_64 = 28;
const END = 22;
const END_64 = 56 + 20;

/** Larger numbers do not fit into the 32-bit fields. */
const MAX_LONG = 0xffff_ffff;
const MAX_SHORT = 0xffff;

/** Computes the length of an archive whose entries are stored uncompressed, files followed by a data descriptor, and times in UTC. */
export class ZipSize {
  #local = 0;
  #central = 0;
  #entries = 0;

  /** @param path in the archive, with a trailing slash @param mtime milliseconds since the epoch */
  addFolder(path: string, mtime: number): void {
    this.#add(path, 0, 0, mtime);
  }

  /** @param size bytes of the content */
  addFile(path: string, size: number, mtime: number): void {
    this.#add(path, size, size > MAX_LONG ? DESCRIPTOR_64 : DESCRIPTOR, mtime);
  }

  get total(): number {
    const is64 = this.#entries > MAX_SHORT || this.#central > MAX_LONG || this.#local > MAX_LONG;
    return this.#local + this.#central + END + (is64 ? END_64 : 0);
  }

  #add(path: string, size: number, descriptor: number, mtime: number): void {
    const name = Buffer.byteLength(path) + timeFieldsLength(mtime);
    const is64 = size > MAX_LONG || this.#local > MAX_LONG;
    this.#central += CENTRAL_HEADER + name + (is64 ? CENTRAL_EXTRA_64 : 0);
    this.#local += LOCAL_HEADER + name + size + descriptor;
    this.#entries += 1;
  }
}
