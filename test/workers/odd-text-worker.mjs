import { readFileSync } from 'node:fs';
import { answerJobs } from '../../dist/server/workers/answer-jobs.js';
import { textJobs } from '../../dist/server/workers/text/jobs.js';
import { hang } from './hang.mjs';

/** Reads texts like the real one, and does with some what a decoder does that hostile bytes have got the better of. */
answerJobs(textJobs, {
  words: async ({ files }) => {
    const results = [];
    for (const { file } of files) results.push(await read(file));
    return { results: results.includes('lie') ? 7 : results };
  },
  decode: async ({ content }) => {
    const text = Buffer.from(content).toString('latin1');
    if (text.startsWith('abort')) process.abort();
    if (text.startsWith('wait')) await new Promise(() => undefined);
    return { text: text.startsWith('lie') ? 7 : text };
  },
});

async function read(file) {
  const words = readFileSync(file.paths[0], 'utf8').trim();
  if (words === 'abort') process.abort();
  if (words === 'hang') hang();
  if (words === 'bloat') {
    const kept = [];
    for (;;) {
      kept.push(Buffer.alloc(8 * 1024 * 1024, 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (words === 'lie') return words;
  if (words === 'wait') await new Promise(() => undefined);
  return { words };
}
