import { isCompoundFile } from '../../compound/compound-file.ts';
import type { SheetReader } from '../kinds.ts';
import { type ReadSheets, SheetCollector, type Sheets } from './collector.ts';

const newer = async () => (await import('./office-sheets.ts')).readOfficeSheets;

/** Programs write newer workbooks under the old extension, too. */
const READERS: Record<SheetReader, (fd: number) => Promise<ReadSheets>> = {
  spreadsheet: newer,
  excel: async (fd) => (isCompoundFile(fd) ? (await import('./excel-sheets.ts')).readExcelSheets : newer()),
  opendocument: async () => (await import('./opendocument-sheets.ts')).readOpenDocumentSheets,
};

/**
 * The cells of a spreadsheet as they are stored: results of formulas, and dates as their formats show them; other formats, merged
 * cells and charts are left out.
 * @throws JobError
 */
export async function sheetsIn(fd: number, size: number, reader: SheetReader): Promise<Sheets> {
  const collector = new SheetCollector();
  const read = await READERS[reader](fd);
  await read(fd, size, collector);
  return collector.result;
}
