/** How many files and connections this process may have open, if the system has a known limit; otherwise infinity. */
export function mostOpenFiles(): number {
  // Node raises the soft limit to the hard one at its start; inside of Electron it may be lower.
  known ??= ofReport();
  return known;
}

let known: number | undefined;

function ofReport(): number {
  // Not every program that embeds Node has reports, whatever the types say.
  const reports: NodeJS.ProcessReport | undefined = process.report;
  if (reports === undefined) return Number.POSITIVE_INFINITY;
  // Otherwise it would look up the host names of all connections. Node's types do not have it yet.
  Object.assign(reports, { excludeNetwork: true });
  const { userLimits } = reports.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : Number.POSITIVE_INFINITY;
}
