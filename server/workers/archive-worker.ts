import { answerJobs } from './answer-jobs.ts';
import { archiveJobs } from './archives/archive-jobs.ts';
import { UnsafeArchive } from './archives/archive-paths.ts';
import { checkArchive } from './archives/check-archive.ts';
import { unpackArchive } from './archives/unpack-archive.ts';
import { withInherited } from './inherited-file.ts';

answerJobs(archiveJobs, {
  check: ({ archive, ...limits }) => withInherited(archive, ({ fd }) => checkArchive(fd, limits).catch(unsafe)),

  unpack: ({ archive, content, folder, tree }) =>
    withInherited(archive, async (opened) => {
      try {
        await unpackArchive(opened, content, folder, tree);
        return { unpacked: true } as const;
      } catch (error) {
        const { code, syscall } = error as NodeJS.ErrnoException;
        return code !== undefined && syscall !== undefined ? { errno: code } : unsafe(error);
      }
    }),
});

function unsafe(error: unknown) {
  if (!(error instanceof UnsafeArchive)) throw error;
  return { hazard: error.hazard, entry: error.entry };
}
