import { readStart } from '../inherited-file.ts';
import { decodeText } from './encoding.ts';
import { MAX_TEXT } from './jobs.ts';
import type { ReadText } from './sink.ts';

/** No encoding has more bytes per character. */
const MAX_BYTES = 4 * MAX_TEXT;

/** Text, Markdown, source code, CSV, JSON, subtitles: readable as they are. */
export const readPlain: ReadText = async (fd, size, sink) => {
  sink.add(decodeText(readStart(fd, size, MAX_BYTES)));
};
