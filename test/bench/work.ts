import type { Transfer } from './clients/transfer.ts';
import type { Measured } from './rows.ts';
import type { Scratch } from './scratch.ts';
import type { Sizes } from './sizes.ts';
import type { TargetName } from './targets.ts';
import type { NginxProgram } from './yardsticks/nginx.ts';

/** What a work has to do its measuring with. */
export interface Bench {
  readonly scratch: Scratch;
  readonly sizes: Sizes;
  /** That count; one before them warms up. */
  readonly runs: number;
  readonly nginx: NginxProgram | null;
  readonly transfer: Transfer;
}

export type Report = (target: TargetName, measured: Measured) => void;

/** Measures for its targets and reports each as soon as it is known. A target it does not get to has failed. */
export interface Work {
  readonly name: string;
  readonly targets: readonly TargetName[];
  run(bench: Bench, report: Report): Promise<void>;
}

/**
 * Lets contestants take turns, so that whatever else the machine does meets them all. Every second round goes backwards:
 * nobody always comes first. The round before the first is not counted.
 */
export async function alternate<Name extends string, Sample>(
  runs: number,
  contestants: Readonly<Record<Name, () => Promise<Sample>>>,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(contestants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (let round = 0; round <= runs; round += 1) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const sample = await contestants[name]();
      if (round > 0) samples[name].push(sample);
    }
  }
  return samples;
}

/** The same `runs` times, after one that is not counted. */
export async function repeat<Sample>(runs: number, once: () => Promise<Sample>): Promise<Sample[]> {
  return (await alternate(runs, { once })).once;
}

/** Milliseconds. */
export async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
