import { packagePathIn } from '../../text/epub.ts';
import { ZipParts } from '../../text/zip-parts.ts';
import { embeddedDateOf } from '../dates.ts';
import type { ReadEmbedded } from '../metadata-result.ts';
import { leavesIn } from '../xml-leaves.ts';

/** UTF-16 units of the package document. */
const MAX_PACKAGE = 4 * 1024 * 1024;

/** EPUB books: the metadata of the package document (EPUB 3.3, 5.5). */
export const readEpub: ReadEmbedded = async ({ fd, size }, result) => {
  const parts = await ZipParts.open(fd, size);
  const book = leavesIn(await parts.readAll(await packagePathIn(parts), MAX_PACKAGE), 'property');
  result.first('document.title', ...book.of('title'));
  result.add('document.author', ...book.of('creator'));
  result.add('document.keywords', ...book.of('subject'));
  result.first('document.description', ...book.of('description'));
  result.add('document.language', ...book.of('language'));
  result.moment('document.created', embeddedDateOf(book.of('date')[0]));
  result.moment('document.modified', embeddedDateOf(book.of('modified')[0]));
};
