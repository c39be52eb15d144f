import { answerJobs } from './answer-jobs.ts';
import { embeddedIn } from './embedded/embedded-in.ts';
import { embeddedJobs } from './embedded/jobs.ts';
import { withInherited } from './inherited-file.ts';

// The reader of PDF works ahead, and what fails there without anybody waiting for it must not end the process.
process.on('unhandledRejection', () => undefined);

answerJobs(embeddedJobs, {
  embedded: ({ file, reader }) => withInherited(file, (opened) => embeddedIn(opened, reader)),
});
