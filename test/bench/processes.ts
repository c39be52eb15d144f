import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** What Linux counts in whatever the machine's own clock is. */
const TICKS_PER_SECOND = 100;
const SAMPLE_EVERY = 50;

interface Process {
  readonly pid: number;
  readonly cpuSeconds: number;
}

/** CPU time, user and system, of a process and of all that belong to its group. @throws Error where there is no /proc */
export function cpuSeconds(leader: number): number {
  return groupOf(leader).reduce((sum, { cpuSeconds: seconds }) => sum + seconds, 0);
}

/** Resident memory of a process and its group, in MB of 1,000,000 bytes. */
export function residentMegabytes(leader: number): number {
  return sumOf('VmRSS', groupOf(leader));
}

/** The most memory, in MB, that a process and its group took while something was done. */
export async function peakMegabytes(leader: number, action: () => Promise<unknown>): Promise<number> {
  const hasMark = groupOf(leader).every(({ pid }) => resetMark(pid));
  let peak = residentMegabytes(leader);
  const timer = setInterval(() => {
    peak = Math.max(peak, sumOf('VmRSS', processesOf(leader)));
  }, SAMPLE_EVERY);
  try {
    await action();
  } finally {
    clearInterval(timer);
  }
  // The kernel's own mark misses no peak between two samples.
  return Math.max(peak, sumOf(hasMark ? 'VmHWM' : 'VmRSS', groupOf(leader)));
}

/** @throws Error when there are none any more */
function groupOf(leader: number): Process[] {
  const found = processesOf(leader);
  if (found.length === 0) throw new Error(`process ${leader} has ended`);
  return found;
}

function processesOf(leader: number): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)))
    .filter(({ group }) => group === leader);
}

function sumOf(field: 'VmRSS' | 'VmHWM', processes: readonly Process[]): number {
  return processes.reduce((sum, { pid }) => sum + memoryOf(pid, field), 0);
}

/** Nothing for a process that is gone meanwhile. */
function readStat(pid: number): (Process & { readonly group: number })[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may contain anything. After it: state, parent, group, …, user, system.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return [{ pid, group: Number(fields[2]), cpuSeconds: ticks / TICKS_PER_SECOND }];
  } catch {
    return [];
  }
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1];
    return (Number(kibibytes ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

function resetMark(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}
