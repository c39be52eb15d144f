import { JobError } from '../../job-error.ts';
import { ZipParts } from '../../text/zip-parts.ts';
import { embeddedDateOf } from '../dates.ts';
import type { ReadEmbedded } from '../metadata-result.ts';
import { isCount, leavesOf, nameOf } from './office.ts';

/** Text documents, spreadsheets and presentations of OpenDocument 1.3 (part 3, 4.3). */
export const readOpenDocument: ReadEmbedded = async ({ fd, size }, result) => {
  const parts = await ZipParts.open(fd, size);
  if (!parts.has('content.xml')) throw new JobError('unsupported', 'no document of this kind');
  const meta = await leavesOf(parts, 'meta.xml');
  result.first('document.title', ...meta.of('title'));
  // The creator is the last editor.
  result.first('document.author', ...meta.of('initial-creator'), ...meta.of('creator'));
  result.first('document.subject', ...meta.of('subject'));
  result.add('document.keywords', ...meta.of('keyword'));
  result.first('document.description', ...meta.of('description'));
  result.first('document.language', ...meta.of('language'));
  result.moment('document.created', embeddedDateOf(meta.of('creation-date')[0]));
  result.moment('document.modified', embeddedDateOf(meta.of('date')[0]));
  result.first('document.application', ...meta.of('generator').map(nameOf));
  const pages = meta.attribute('document-statistic', 'page-count');
  if (isCount(pages)) result.first('document.pages', pages);
};
