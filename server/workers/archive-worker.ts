import { answerJobs } from './answer-jobs.ts';
import { archiveJobs } from './archive-jobs.ts';
import { UnsafeArchive } from './archive-paths.ts';
import { checkArchive } from './check-archive.ts';
import { openArchive } from './open-archive.ts';
import { unpackArchive } from './unpack-archive.ts';

answerJobs(archiveJobs, {
  check: async ({ archive, ...limits }) => {
    const { file } = await openArchive(archive);
    try {
      return await checkArchive(file, limits).catch(unsafe);
    } finally {
      await file.close();
    }
  },

  unpack: async ({ archive, content, folder, tree }) => {
    const opened = await openArchive(archive);
    try {
      await unpackArchive(opened, content, folder, tree);
      return { unpacked: true } as const;
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      return code !== undefined && syscall !== undefined ? { errno: code } : unsafe(error);
    } finally {
      await opened.file.close();
    }
  },
});

function unsafe(error: unknown) {
  if (!(error instanceof UnsafeArchive)) throw error;
  return { hazard: error.hazard, entry: error.entry };
}
