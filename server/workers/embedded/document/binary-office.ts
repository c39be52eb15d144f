import { CompoundFile } from '../../compound/compound-file.ts';
import { type PropertySet, propertiesIn } from '../../compound/property-set.ts';
import { JobError } from '../../job-error.ts';
import { embeddedDateOf } from '../dates.ts';
import type { ReadEmbedded } from '../metadata-result.ts';
import { isCount, nameOf, separated } from './office.ts';

/** Bytes of a stream with properties; a picture of the first page may be in it. */
const MAX_PROPERTIES = 1024 * 1024;
/** The streams of Word, Excel and PowerPoint. */
const CONTENTS = ['WordDocument', 'Workbook', 'Book', 'PowerPoint Document'];

/** Word, Excel and PowerPoint before 2007: summary information ([MS-OLEPS] 3.1, [MS-OSHARED] 2.3.3.2). */
export const readBinaryOffice: ReadEmbedded = async ({ fd, size }, result) => {
  const file = new CompoundFile(fd, size);
  if (!CONTENTS.some((name) => file.has(name))) throw new JobError('unsupported', 'no document of this kind');
  const summary = setIn(file, '\u0005SummaryInformation', [2, 3, 4, 5, 6, 12, 13, 14, 18]);
  const more = setIn(file, '\u0005DocumentSummaryInformation', [7]);
  result.first('document.title', summary.get(2));
  result.add('document.author', summary.get(4));
  result.first('document.subject', summary.get(3));
  result.add('document.keywords', ...textsOf(summary.get(5)).flatMap(separated));
  result.first('document.description', summary.get(6));
  result.moment('document.created', momentOf(summary.get(12)));
  result.moment('document.modified', momentOf(summary.get(13)));
  result.first('document.application', ...textsOf(summary.get(18)).map(nameOf));
  result.first('document.pages', ...[summary.get(14), more.get(7)].map(String).filter(isCount));
};

function setIn(file: CompoundFile, name: string, wanted: readonly number[]): PropertySet {
  const stream = file.stream(name, MAX_PROPERTIES);
  return stream === null ? new Map() : propertiesIn(stream, wanted);
}

const textsOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);
const momentOf = (value: unknown) => (value instanceof Date ? embeddedDateOf(value.toISOString()) : null);
