import { Parser } from 'htmlparser2';
import { JobError } from '../job-error.ts';
import { HTML } from './html.ts';
import { readPart } from './office.ts';
import type { ReadText } from './sink.ts';
import { ZipParts } from './zip-parts.ts';

/** UTF-16 units of the parts that say what the book has. */
const MAX_DESCRIPTION = 4 * 1024 * 1024;
const CHAPTERS = ['application/xhtml+xml', 'text/html'];

interface Package {
  /** By its id in the package. */
  readonly chapters: ReadonlyMap<string, string>;
  /** Ids, in the order of reading. */
  readonly spine: readonly string[];
  /** What the book is called, and by whom it is. */
  readonly about: string;
}

/** A book of EPUB: its title and authors, and its chapters in their order. */
export const readEpub: ReadText = async (handle, size, sink) => {
  const parts = await ZipParts.open(handle, size);
  const packagePath = rootFileIn(await parts.readAll('META-INF/container.xml', MAX_DESCRIPTION));
  if (packagePath === null || !parts.has(packagePath)) throw new JobError('unsupported', 'no book of this kind');
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

export function rootFileIn(container: string): string | null {
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
  const parser = new Parser(
    {
      onopentag: (name, { id = '', idref = '', href = '', 'media-type': type = '' }) => {
        if (name.endsWith('itemref')) spine.push(idref);
        else if (name.endsWith('item') && CHAPTERS.includes(type)) chapters.set(id, href);
        isAbout = /^dc:(?:title|creator|subject|description|publisher)$/.test(name);
      },
      onclosetag: () => {
        if (isAbout) about += '\n';
        isAbout = false;
      },
      ontext: (piece) => {
        if (isAbout) about += piece;
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  return { chapters, spine, about };
}

/** The name in the archive of what a reference of the package means, or null when it leads elsewhere. */
function partOf(packagePath: string, href: string): string | null {
  try {
    const { protocol, pathname } = new URL(href, new URL(encodeURI(packagePath), 'epub:///'));
    return protocol === 'epub:' ? decodeURIComponent(pathname).replace(/^\//, '') : null;
  } catch {
    return null;
  }
}
