import { isCompoundFile } from '../../compound/compound-file.ts';
import { readAt } from '../../inherited-file.ts';
import type { ReadText } from '../sink.ts';

/**
 * The reader of a file with the name of an old Office file and another content: programs write newer documents, Rich Text, web
 * pages and tables as text under these names, and Office opens them all.
 * @param newer the reader of the format that has replaced the old one
 * @returns null if it is a compound file
 */
export async function readerOfContent(fd: number, newer: 'office' | 'spreadsheet'): Promise<ReadText | null> {
  if (isCompoundFile(fd)) return null;
  const start = readAt(fd, 0, 512).toString('latin1');
  if (start.startsWith('PK')) {
    const office = await import('../office.ts');
    return newer === 'office' ? office.readOffice : office.readSpreadsheet;
  }
  if (start.startsWith('{\\rtf')) return (await import('../rtf.ts')).readRtf;
  if (/^(?:ï»¿)?\s*</u.test(start)) return (await import('../html.ts')).readHtml;
  return (await import('../plain.ts')).readPlain;
}
