// The progress of all files together, and the remaining time.

import type { UploadJob } from './job.ts';

interface Totals {
  readonly files: number;
  readonly sentFiles: number;
  readonly bytes: number;
  readonly sentBytes: number;
}

export function totalsOf(jobs: readonly Pick<UploadJob, 'state' | 'sent' | 'file'>[]): Totals {
  const sum = (value: (job: (typeof jobs)[number]) => number) => jobs.reduce((all, job) => all + value(job), 0);
  return {
    files: jobs.length,
    sentFiles: countIn(jobs, 'sent'),
    bytes: sum(({ file }) => file.size),
    sentBytes: sum(({ sent }) => sent),
  };
}

export const countIn = (jobs: readonly Pick<UploadJob, 'state'>[], state: UploadJob['state']): number =>
  jobs.filter((job) => job.state === state).length;

/** The estimated remaining time. */
export interface TimeLeft {
  readonly unit: 'seconds' | 'minutes' | 'hours';
  readonly count: number;
}

interface TimeEstimate {
  reset(): void;
  /** @returns null for the first seconds, and while there is no progress */
  remaining(sentBytes: number, bytes: number): TimeLeft | null;
}

/** Seconds before the speed is meaningful. */
const SETTLING = 3;

/** @param now milliseconds of a monotonic clock */
export function createTimeEstimate(now: () => number = () => performance.now()): TimeEstimate {
  let start: { readonly time: number; readonly bytes: number } | null = null;
  return {
    reset() {
      start = null;
    },
    remaining(sentBytes, bytes) {
      start ??= { time: now(), bytes: sentBytes };
      const seconds = (now() - start.time) / 1_000;
      const speed = (sentBytes - start.bytes) / seconds;
      if (seconds < SETTLING || speed <= 0) return null;
      const left = (bytes - sentBytes) / speed;
      if (left < 20) return { unit: 'seconds', count: Math.round(left) };
      if (left < 90) return { unit: 'minutes', count: 1 };
      if (left < 5_400) return { unit: 'minutes', count: Math.round(left / 60) };
      return { unit: 'hours', count: Math.round(left / 3_600) };
    },
  };
}
