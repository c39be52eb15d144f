/** How many files and connections this process may have open at once, where the system has a limit and says it; else infinity. */
export function mostOpenFiles(): number {
  // Node raises the soft limit to the hard one as it starts; inside of Electron it may be lower.
  known ??= ofReport();
  return known;
}

let known: number | undefined;

function ofReport(): number {
  // Not every program that has Node inside has reports, whatever its types say.
  const reports: NodeJS.ProcessReport | undefined = process.report;
  if (reports === undefined) return Number.POSITIVE_INFINITY;
  // Otherwise it would look up the names of whoever is connected. Node's types do not know it yet.
  Object.assign(reports, { excludeNetwork: true });
  const { userLimits } = reports.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : Number.POSITIVE_INFINITY;
}
