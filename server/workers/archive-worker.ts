import { answerJobs } from './answer-jobs.ts';
import { archiveJobs } from './archive-jobs.ts';
import { UnsafeArchive } from './archive-paths.ts';
import { checkArchive } from './check-archive.ts';
import { withHanded } from './open-handed.ts';
import { unpackArchive } from './unpack-archive.ts';

answerJobs(archiveJobs, {
  check: ({ archive, ...limits }) => withHanded(archive, ({ fd }) => checkArchive(fd, limits).catch(unsafe)),

  unpack: ({ archive, content, folder, tree }) =>
    withHanded(archive, async (opened) => {
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
