import { answerJobs } from './answer-jobs.ts';
import { archiveJobs } from './archives/archive-jobs.ts';
import { UnsafeArchive } from './archives/archive-paths.ts';
import { checkArchive } from './archives/check-archive.ts';
import { listArchive } from './archives/list-archive.ts';
import { readTexts, takeEntries } from './archives/take-entries.ts';
import { unpackArchive } from './archives/unpack-archive.ts';
import { xmpFactsIn } from './embedded/xmp-facts.ts';
import { withInherited } from './inherited-file.ts';

answerJobs(archiveJobs, {
  check: ({ archive, ...limits }) => withInherited(archive, ({ fd }) => checkArchive(fd, limits).catch(unsafe)),

  unpack: ({ archive, content, folder, tree }) =>
    withInherited(archive, async (opened) => {
      try {
        await unpackArchive(opened, content, folder, tree);
        return { unpacked: true } as const;
      } catch (error) {
        return diskError(error) ?? unsafe(error);
      }
    }),

  list: ({ archive }) => withInherited(archive, ({ fd }) => listArchive(fd).catch(unsafe)),

  texts: ({ archive, entries }) =>
    withInherited(archive, async (opened) => ({ texts: await readTexts(opened, entries) })),

  xmp: async ({ text }) => xmpFactsIn(text),

  take: ({ archive, entries, folder }) =>
    withInherited(archive, async (opened) => {
      try {
        return { intact: await takeEntries(opened, entries, folder) };
      } catch (error) {
        const known = diskError(error);
        if (known === null) throw error;
        return known;
      }
    }),
});

function unsafe(error: unknown) {
  if (!(error instanceof UnsafeArchive)) throw error;
  return { hazard: error.hazard, entry: error.entry };
}

function diskError(error: unknown): { errno: string } | null {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined ? { errno: code } : null;
}
