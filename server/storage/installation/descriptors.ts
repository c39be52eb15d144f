import { openFilesLimit } from '../../lib/process/open-files.ts';

/** What an idle server has open, plus some for the connections and files of a household. */
const LEAST = 256;

/** What to do when this process may not open as many files and connections as it needs, in sentences; null when it may. */
export function descriptorProblem(): string | null {
  const limit = descriptorLimit();
  if (limit >= LEAST) return null;
  return `This process may have ${limit} files and connections open at the same time, and Larder needs at least ${LEAST}. Raise the limit and start it again: "ulimit -n 4096" in a shell, LimitNOFILE=4096 in a systemd unit, --ulimit nofile=4096 for Docker.`;
}

function descriptorLimit(): number {
  try {
    return openFilesLimit();
  } catch (error) {
    // Not even the file with the limit can be opened: no descriptor is left.
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? 0 : Number.POSITIVE_INFINITY;
  }
}
