import { readStart } from '../open-handed.ts';
import { MAX_TEXT } from '../text-jobs.ts';
import { decodeText } from './encoding.ts';
import type { ReadText } from './sink.ts';

/** No encoding has more bytes for a character. */
const MAX_BYTES = 4 * MAX_TEXT;

/** Text, Markdown, source code, CSV, JSON, subtitles: what is readable as it is. */
export const readPlain: ReadText = async (fd, size, sink) => {
  sink.add(decodeText(readStart(fd, size, MAX_BYTES)));
};
