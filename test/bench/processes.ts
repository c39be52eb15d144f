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
  return groupOf(leader).reduce((sum, { pid }) => sum + memoryOf(pid, 'VmRSS'), 0);
}

/** Watches how much memory a process and its group take. */
export class PeakMemory {
  readonly #leader: number;
  readonly #timer: NodeJS.Timeout;
  readonly #hasMark: boolean;
  #peak: number;

  constructor(leader: number) {
    this.#leader = leader;
    this.#hasMark = groupOf(leader).every(({ pid }) => resetMark(pid));
    this.#peak = residentMegabytes(leader);
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY);
  }

  /** @returns the most there was since the beginning, in MB */
  stop(): number {
    clearInterval(this.#timer);
    this.#sample();
    // The kernel's own mark misses no peak between two samples.
    const mark = groupOf(this.#leader).reduce((sum, { pid }) => sum + memoryOf(pid, 'VmHWM'), 0);
    return this.#hasMark ? Math.max(this.#peak, mark) : this.#peak;
  }

  #sample(): void {
    this.#peak = Math.max(this.#peak, residentMegabytes(this.#leader));
  }
}

function groupOf(leader: number): Process[] {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)))
    .filter(({ group }) => group === leader);
  if (found.length === 0) throw new Error(`process ${leader} has ended`);
  return found;
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
