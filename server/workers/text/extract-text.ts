import type { TextReader } from './kinds.ts';
import { Enough, type ReadText, TextSink, withWholeWords } from './sink.ts';

/** Loaded on first use: the PDF reader alone is larger than everything else together. */
const READERS: Record<TextReader, () => Promise<ReadText>> = {
  plain: async () => (await import('./plain.ts')).readPlain,
  html: async () => (await import('./html.ts')).readHtml,
  pdf: async () => (await import('./pdf.ts')).readPdf,
  office: async () => (await import('./office.ts')).readOffice,
  spreadsheet: async () => (await import('./office.ts')).readSpreadsheet,
  word: async () => (await import('./binary-office/word.ts')).readWord,
  excel: async () => (await import('./binary-office/excel.ts')).readExcel,
  powerpoint: async () => (await import('./binary-office/powerpoint.ts')).readPowerPoint,
  opendocument: async () => (await import('./opendocument.ts')).readOpenDocument,
  rtf: async () => (await import('./rtf.ts')).readRtf,
  epub: async () => (await import('./epub.ts')).readEpub,
  mail: async () => (await import('./mail.ts')).readMail,
  contactsAndEvents: async () => (await import('./contacts-and-events.ts')).readContactsAndEvents,
  fictionbook: async () => (await import('./html.ts')).readFictionBook,
};

/**
 * The text of a document, with line ends or spaces between its parts.
 * @param limit UTF-16 units, approximately; the rest is not read
 * @throws JobError
 */
export async function textIn(fd: number, size: number, reader: TextReader, limit: number): Promise<string> {
  const sink = new TextSink(limit);
  try {
    const read = await READERS[reader]();
    await read(fd, size, sink);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return withWholeWords(sink.text);
}
