import { JobError } from '../../job-error.ts';
import { ZipParts } from '../../text/zip-parts.ts';
import { embeddedDateOf } from '../dates.ts';
import type { ReadEmbedded } from '../metadata-result.ts';
import { type Leaves, leavesIn } from '../xml-leaves.ts';

/** UTF-16 units of the parts with metadata. */
const MAX_PART = 1024 * 1024;

/** Word, Excel and PowerPoint: core and extended properties (ECMA-376, part 2, 11, and part 1, 15.2.12.3). */
export const readOffice: ReadEmbedded = async ({ fd, size }, result) => {
  const parts = await ZipParts.open(fd, size);
  if (!parts.has('[Content_Types].xml')) throw new JobError('unsupported', 'no document of this kind');
  const core = await leavesOf(parts, 'docProps/core.xml');
  result.first('document.title', ...core.of('title'));
  result.add('document.author', ...core.of('creator'));
  result.first('document.subject', ...core.of('subject'));
  result.add('document.keywords', ...core.of('keywords').flatMap(separated));
  result.first('document.description', ...core.of('description'));
  result.first('document.language', ...core.of('language'));
  result.moment('document.created', embeddedDateOf(core.of('created')[0]));
  result.moment('document.modified', embeddedDateOf(core.of('modified')[0]));
  const app = await leavesOf(parts, 'docProps/app.xml');
  result.first('document.application', ...app.of('Application').map(nameOf));
  result.first('document.pages', ...[...app.of('Pages'), ...app.of('Slides')].filter(isCount));
};

/** @throws JobError */
export async function leavesOf(parts: ZipParts, name: string): Promise<Leaves> {
  return leavesIn(await parts.readAll(name, MAX_PART));
}

/** Splits at commas and semicolons. */
export function separated(text: string): string[] {
  return text.split(/[,;]/);
}

/** LibreOffice appends its build id. */
export function nameOf(application: string): string {
  return application.replace(/\$.*/s, '').replace('/', ' ');
}

export function isCount(text: string | undefined): boolean {
  return text !== undefined && /^[1-9]\d{0,6}$/.test(text);
}
