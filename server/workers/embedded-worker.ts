import { answerJobs } from './answer-jobs.ts';
import { embeddedIn } from './embedded/embedded-in.ts';
import { embeddedJobs } from './embedded/jobs.ts';
import { withInherited } from './inherited-file.ts';

// The PDF reader works ahead; a failure there that nothing awaits must not end the process.
process.on('unhandledRejection', () => undefined);

answerJobs(embeddedJobs, {
  embedded: ({ file, reader }) => withInherited(file, (opened) => embeddedIn(opened, reader)),
});
