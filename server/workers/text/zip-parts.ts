import { TextDecoder } from 'node:util';
import { type Entry, fromBufferPromise, fromFdPromise, type ZipFile } from 'yauzl';
import { textDecoderOf } from '../encodings/decoders.ts';
import { readStart } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import { encodingOfMark } from './encoding.ts';
import { declaredIn } from './html.ts';

/** Most parts of a document. */
const MAX_PARTS = 20_000;
/** Most decompressed bytes of all parts of one document that are read. */
const MAX_INFLATED = 128 * 1024 * 1024;

/** Without the library's check of names, which rejects archives for names that are not used here. */
const OPTIONS = { decodeStrings: false, autoClose: false } as const;

/** The parts of a document that is a ZIP archive. Their names only identify them, and never become paths. */
export class ZipParts {
  readonly #zip: ZipFile;
  readonly #parts: ReadonlyMap<string, Entry>;
  /** The same by their general names. */
  readonly #general = new Map<string, string>();
  /** What was decompressed, also of documents within this one. */
  readonly #spent: { inflated: number };

  private constructor(zip: ZipFile, parts: ReadonlyMap<string, Entry>, spent = { inflated: 0 }) {
    this.#zip = zip;
    this.#spent = spent;
    this.#parts = parts;
    for (const name of parts.keys())
      if (!this.#general.has(generalName(name))) this.#general.set(generalName(name), name);
  }

  /** @throws JobError */
  static async open(fd: number, size: number): Promise<ZipParts> {
    const start = readStart(fd, size, 4);
    if (start.toString('latin1', 0, 2) !== 'PK') throw new JobError('unsupported', 'no document of this kind');
    return ZipParts.#of(() => fromFdPromise(fd, OPTIONS));
  }

  /** A document within this one. @throws JobError */
  within(bytes: Buffer): Promise<ZipParts> {
    return ZipParts.#of(() => fromBufferPromise(bytes, OPTIONS), this.#spent);
  }

  static async #of(open: () => Promise<ZipFile>, spent?: { inflated: number }): Promise<ZipParts> {
    try {
      const zip = await open();
      if (zip.entryCount > MAX_PARTS) throw new JobError('too_large', `${zip.entryCount} parts`);
      const parts = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        const name = (entry.fileName as unknown as Buffer).toString('utf8');
        if (!parts.has(name)) parts.set(name, entry);
      }
      return new ZipParts(zip, parts, spent);
    } catch (error) {
      throw corrupt(error);
    }
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** The matching names, in the order of the numbers in them. */
  named(pattern: RegExp): string[] {
    const collator = new Intl.Collator('en', { numeric: true });
    return [...this.#parts.keys()].filter((name) => pattern.test(name.replaceAll('\\', '/'))).sort(collator.compare);
  }

  /** The text of a part in chunks; nothing if there is no such part. @throws JobError */
  async *read(name: string): AsyncGenerator<string> {
    const entry = this.#find(name);
    if (entry === undefined) return;
    if (entry.isEncrypted()) throw new JobError('unsupported', 'the document is encrypted');
    let decoder: TextDecoder | null = null;
    for await (const chunk of this.#bytesOf(entry)) {
      decoder ??= textDecoderOf(encodingOfMark(chunk) ?? declaredIn(chunk) ?? 'utf-8') ?? new TextDecoder();
      yield decoder.decode(chunk, { stream: true });
    }
  }

  /** The whole of a small part. @param limit in UTF-16 units */
  async readAll(name: string, limit: number): Promise<string> {
    let text = '';
    for await (const chunk of this.read(name)) {
      text += chunk;
      if (text.length > limit) throw new JobError('too_large', 'a part that describes the document is too large');
    }
    return text;
  }

  /** The bytes of a part; empty if there is no such part. @throws JobError also when there are more than `limit` */
  async bytes(name: string, limit: number): Promise<Buffer> {
    const entry = this.#find(name);
    if (entry?.isEncrypted()) throw new JobError('unsupported', 'the document is encrypted');
    const chunks: Buffer[] = [];
    let length = 0;
    if (entry !== undefined) {
      for await (const chunk of this.#bytesOf(entry)) {
        length += chunk.length;
        if (length > limit) throw new JobError('too_large', `a part of more than ${limit} bytes`);
        chunks.push(chunk);
      }
    }
    return Buffer.concat(chunks);
  }

  /** By the name as it is, or regardless of case and of the kind of slashes (ECMA-376, part 2, 6.2.2.3). */
  #find(name: string): Entry | undefined {
    return this.#parts.get(name) ?? this.#parts.get(this.#general.get(generalName(name)) ?? '');
  }

  async *#bytesOf(entry: Entry): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        this.#spent.inflated += (chunk as Buffer).length;
        if (this.#spent.inflated > MAX_INFLATED)
          throw new JobError('too_large', `more than ${MAX_INFLATED} bytes come out`);
        yield chunk as Buffer;
      }
    } catch (error) {
      throw corrupt(error);
    }
  }
}

/** Equal for names that programs treat as one. Some encode them like the addresses of parts (ECMA-376, part 2, 6.2.2.2). */
function generalName(name: string): string {
  return decoded(name).replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Converts the library's errors about unreadable archives. */
function corrupt(error: unknown): JobError {
  return error instanceof JobError ? error : new JobError('corrupt', (error as Error).message);
}
