import { answerJobs } from './answer-jobs.ts';
import { embeddedIn } from './embedded/embedded-in.ts';
import { embeddedJobs } from './embedded-jobs.ts';
import { openHanded } from './open-handed.ts';

// The reader of PDF works ahead, and what fails there without anybody waiting for it must not end the process.
process.on('unhandledRejection', () => undefined);

answerJobs(embeddedJobs, {
  async embedded({ file, reader }) {
    const opened = await openHanded(file);
    try {
      return await embeddedIn(opened, reader);
    } finally {
      await opened.handle.close();
    }
  },
});
