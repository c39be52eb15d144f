import { tokenize } from '../lib/text/tokenizer.ts';
import { answerJobs } from './answer-jobs.ts';
import { withInherited } from './inherited-file.ts';
import { MAX_TEXT, textJobs } from './text/jobs.ts';
import { textIn } from './text/text-in.ts';

// The reader of PDF works ahead, and what fails there without anybody waiting for it must not end the process.
process.on('unhandledRejection', () => undefined);

answerJobs(textJobs, {
  words: ({ file, reader }) =>
    withInherited(file, async ({ fd, size }) => ({
      words: joined(tokenize(await textIn(fd, size, reader, MAX_TEXT))),
    })),
});

/** Taking letters apart makes a text longer: it is cut between two words. */
function joined(words: readonly string[]): string {
  const text = words.join(' ');
  return text.length <= MAX_TEXT ? text : text.slice(0, text.lastIndexOf(' ', MAX_TEXT));
}
