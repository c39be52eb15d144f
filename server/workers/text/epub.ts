import { Parser } from 'htmlparser2';
import { JobError } from '../job-error.ts';
import { HTML } from './html.ts';
import { readPart } from './office.ts';
import type { ReadText } from './sink.ts';
import { ZipParts } from './zip-parts.ts';

/** UTF-16 units of the package document. */
const MAX_DESCRIPTION = 4 * 1024 * 1024;
const CHAPTERS = ['application/xhtml+xml', 'text/html'];

interface Package {
  /** By id in the package. */
  readonly chapters: ReadonlyMap<string, string>;
  /** Ids, in reading order. */
  readonly spine: readonly string[];
  /** The title and authors. */
  readonly about: string;
  /** The reference to the cover image. */
  readonly cover: string | null;
}

/** An EPUB book: title, authors, and chapters in order. */
export const readEpub: ReadText = async (fd, size, sink) => {
  const parts = await ZipParts.open(fd, size);
  const packagePath = await packagePathIn(parts);
  const { chapters, spine, about } = packageIn(await parts.readAll(packagePath, MAX_DESCRIPTION));
  sink.add(about);
  const read = new Set<string>();
  for (const id of spine) {
    const href = chapters.get(id);
    const name = href === undefined ? null : partOf(packagePath, href);
    if (name === null || read.has(name)) continue;
    read.add(name);
    await readPart(parts, name, sink, HTML);
  }
};

/** The name of the part with the cover image, or null. @throws JobError `unsupported` when it is not a book */
export async function coverIn(parts: ZipParts): Promise<string | null> {
  const packagePath = await packagePathIn(parts);
  const { cover } = packageIn(await parts.readAll(packagePath, MAX_DESCRIPTION));
  return cover === null ? null : partOf(packagePath, cover);
}

/** The name of the package document. @throws JobError `unsupported` when it is not a book */
export async function packagePathIn(parts: ZipParts): Promise<string> {
  const path = rootFileIn(await parts.readAll('META-INF/container.xml', MAX_DESCRIPTION));
  if (path === null || !parts.has(path)) throw new JobError('unsupported', 'no book of this kind');
  return path;
}

function rootFileIn(container: string): string | null {
  let path: string | null = null;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (name.endsWith('rootfile')) path ??= attributes['full-path'] ?? null;
      },
    },
    { xmlMode: true },
  );
  parser.end(container);
  return path;
}

function packageIn(text: string): Package {
  const chapters = new Map<string, string>();
  const spine: string[] = [];
  let about = '';
  let isAbout = false;
  const pictures = new Map<string, string>();
  let [marked, named]: (string | null)[] = [null, null];
  const parser = new Parser(
    {
      onopentag: (name, { id = '', idref = '', href = '', 'media-type': type = '', ...attributes }) => {
        if (name.endsWith('itemref')) spine.push(idref);
        else if (name.endsWith('item') && CHAPTERS.includes(type)) chapters.set(id, href);
        else if (name.endsWith('item') && type.startsWith('image/')) pictures.set(id, href);
        // EPUB 3.3 §D.6.2.1, and the notation of EPUB 2.
        if (/(?:^|\s)cover-image(?:\s|$)/.test(attributes.properties ?? '')) marked ??= href;
        if (name.endsWith('meta') && attributes.name === 'cover') named ??= attributes.content ?? null;
        isAbout = /^dc:(?:title|creator|subject|description|publisher)$/.test(name);
      },
      onclosetag: () => {
        if (isAbout) about += '\n';
        isAbout = false;
      },
      ontext: (chunk) => {
        if (isAbout) about += chunk;
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  const cover = marked ?? pictures.get(named ?? '') ?? null;
  return { chapters, spine, about, cover };
}

/** The archive name for a reference of the package, or null when it leads elsewhere. */
function partOf(packagePath: string, href: string): string | null {
  try {
    const { protocol, pathname } = new URL(href, new URL(encodeURI(packagePath), 'epub:///'));
    return protocol === 'epub:' ? decodeURIComponent(pathname).replace(/^\//, '') : null;
  } catch {
    return null;
  }
}
