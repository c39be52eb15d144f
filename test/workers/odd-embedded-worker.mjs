import { readFileSync } from 'node:fs';
import { answerJobs } from '../../dist/server/workers/answer-jobs.js';
import { embeddedJobs } from '../../dist/server/workers/embedded/jobs.js';
import { hang } from './hang.mjs';

/** Reads titles like the real one, and does with some what a decoder does that hostile bytes have got the better of. */
answerJobs(embeddedJobs, {
  embedded: async ({ file }) => {
    const title = readFileSync(file.paths[0], 'utf8').trim();
    if (title === 'abort') process.abort();
    if (title === 'hang') hang();
    if (title === 'lie')
      return {
        fields: [{ key: 'password', values: [''] }],
        takenAt: 0,
        place: null,
        group: { pairId: null, burstId: null, milliseconds: null },
        film: null,
      };
    if (title === 'wait') await new Promise(() => undefined);
    return {
      fields: [{ key: 'image.title', values: [title] }],
      takenAt: null,
      place: null,
      group: { pairId: null, burstId: null, milliseconds: null },
      film: null,
    };
  },
});
