import { answerJobs } from './answer-jobs.ts';
import { archiveJobs } from './archive-jobs.ts';
import { UnsafeArchive } from './archive-paths.ts';
import { checkArchive } from './check-archive.ts';
import { openHanded } from './open-handed.ts';
import { unpackArchive } from './unpack-archive.ts';

answerJobs(archiveJobs, {
  check: async ({ archive, ...limits }) => {
    const { handle } = await openHanded(archive);
    try {
      return await checkArchive(handle, limits).catch(unsafe);
    } finally {
      await handle.close();
    }
  },

  unpack: async ({ archive, content, folder, tree }) => {
    const opened = await openHanded(archive);
    try {
      await unpackArchive(opened, content, folder, tree);
      return { unpacked: true } as const;
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      return code !== undefined && syscall !== undefined ? { errno: code } : unsafe(error);
    } finally {
      await opened.handle.close();
    }
  },
});

function unsafe(error: unknown) {
  if (!(error instanceof UnsafeArchive)) throw error;
  return { hazard: error.hazard, entry: error.entry };
}
