// How far all files together are, and how long the rest will take.

import { fill } from '../lib/format.ts';
import type { UploadJob } from './job.ts';

export interface Totals {
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

/** One sentence for each length of time. */
export interface TimeTexts {
  readonly seconds: string;
  readonly minute: string;
  readonly minutes: string;
  readonly hours: string;
}

export interface TimeEstimate {
  reset(): void;
  /** @returns nothing for the first seconds, and while nothing moves */
  remaining(sentBytes: number, bytes: number): string;
}

/** Before this many seconds the speed says nothing. */
const SETTLING = 3;

/** @param now milliseconds of a clock that never goes back */
export function createTimeEstimate(texts: TimeTexts, now: () => number = () => performance.now()): TimeEstimate {
  let start: { readonly time: number; readonly bytes: number } | null = null;
  return {
    reset() {
      start = null;
    },
    remaining(sentBytes, bytes) {
      start ??= { time: now(), bytes: sentBytes };
      const seconds = (now() - start.time) / 1_000;
      const speed = (sentBytes - start.bytes) / seconds;
      if (seconds < SETTLING || speed <= 0) return '';
      const left = (bytes - sentBytes) / speed;
      if (left < 20) return texts.seconds;
      if (left < 90) return texts.minute;
      return left < 5_400 ? fill(texts.minutes, Math.round(left / 60)) : fill(texts.hours, Math.round(left / 3_600));
    },
  };
}
