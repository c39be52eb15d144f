import { readFileSync } from 'node:fs';

let known: number | undefined;

/** How many files and connections this process may have open; infinity where the system has no known limit. */
export function mostOpenFiles(): number {
  known ??= limitOrNone();
  return known;
}

function limitOrNone(): number {
  try {
    return openFilesLimit();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * The soft limit of this process. Node raises it to the hard limit when it starts; inside of Electron it may be lower.
 * @throws what the system reports when the limit cannot be read, such as EMFILE
 */
export function openFilesLimit(): number {
  if (process.platform === 'win32') return Number.POSITIVE_INFINITY;
  if (process.platform === 'linux') {
    // A report takes a fiftieth of the whole start.
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  }
  // Not every program that embeds Node has reports, whatever the types say.
  const reports: NodeJS.ProcessReport | undefined = process.report;
  if (reports === undefined) return Number.POSITIVE_INFINITY;
  // Otherwise it would look up the host names of all connections. Node's types do not have it yet.
  Object.assign(reports, { excludeNetwork: true });
  const { userLimits } = reports.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : Number.POSITIVE_INFINITY;
}
