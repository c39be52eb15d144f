import { passageIn } from '../lib/text/passage.ts';
import { tokenize } from '../lib/text/tokenizer.ts';
import { answerJobs } from './answer-jobs.ts';
import { withInherited } from './inherited-file.ts';
import { failureOf } from './job-error.ts';
import type { OutputOf } from './protocol.ts';
import { decodeText } from './text/encoding.ts';
import { textIn } from './text/extract-text.ts';
import { declaredIn } from './text/html.ts';
import { MAX_SHOWN, MAX_TEXT, type TextJobs, textJobs } from './text/jobs.ts';

// The PDF reader works ahead; a failure there that nothing awaits must not end the process.
process.on('unhandledRejection', () => undefined);

/** Texts of the last passages, by the identities of their files, the newest last. */
const recentTexts = new Map<string, string>();
const MAX_RECENT = 8;

answerJobs(textJobs, {
  async words({ files }) {
    const results: OutputOf<TextJobs, 'words'>['results'] = [];
    for (const { file, reader } of files) {
      results.push(
        await withInherited(file, async ({ fd, size }) => ({
          words: joined(tokenize(await textIn(fd, size, reader, MAX_TEXT))),
        })).catch(failureOf),
      );
    }
    return { results };
  },

  async decode({ content, isCut, isMarkup }) {
    const text = decodeText(content, isMarkup ? declaredIn(content) : null);
    return { text: isCut ? text.replace(/\ufffd$/, '') : text };
  },

  async text({ file, reader }) {
    const read = await withInherited(file, ({ fd, size }) => textIn(fd, size, reader, MAX_SHOWN));
    // Readers break lines wherever an element ends.
    const text = read
      .replace(/[^\S\n]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
      .slice(0, MAX_SHOWN);
    return { text, isCut: read.length >= MAX_SHOWN };
  },

  sheets: ({ file, reader }) =>
    withInherited(file, async ({ fd, size }) =>
      (await import('./text/sheets/read-sheets.ts')).sheetsIn(fd, size, reader),
    ),

  async passage({ file, reader, words }) {
    const { identity } = file;
    // While someone types, the same documents are asked for again and again.
    const text =
      recentTexts.get(identity) ?? (await withInherited(file, ({ fd, size }) => textIn(fd, size, reader, MAX_TEXT)));
    recentTexts.delete(identity);
    recentTexts.set(identity, text);
    const [oldest] = recentTexts.keys();
    if (recentTexts.size > MAX_RECENT && oldest !== undefined) recentTexts.delete(oldest);
    return { parts: passageIn(text, words) };
  },
});

/** Decomposing characters makes a text longer, so it is truncated between two words. */
function joined(words: readonly string[]): string {
  const text = words.join(' ');
  return text.length <= MAX_TEXT ? text : text.slice(0, text.lastIndexOf(' ', MAX_TEXT));
}
