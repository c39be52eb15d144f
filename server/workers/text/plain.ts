import { readStart } from '../inherited-file.ts';
import { decodeText } from './encoding.ts';
import { MAX_TEXT } from './jobs.ts';
import type { ReadText } from './sink.ts';

/** No encoding has more bytes for a character. */
const MAX_BYTES = 4 * MAX_TEXT;

/** Text, Markdown, source code, CSV, JSON, subtitles: what is readable as it is. */
export const readPlain: ReadText = async (fd, size, sink) => {
  sink.add(decodeText(readStart(fd, size, MAX_BYTES)));
};
