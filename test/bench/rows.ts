import { type Statistics, summarise } from './statistics.ts';
import type { Bound } from './targets.ts';

export interface Series {
  readonly name: string;
  readonly samples: readonly number[];
}

/** What a work found: Larder's samples and, the deciding one first, those of its yardsticks. */
export interface Measured {
  readonly larder: readonly number[];
  readonly yardsticks?: readonly Series[];
  readonly note?: string;
}

export interface Compared {
  readonly name: string;
  readonly statistics: Statistics;
  /** Larder's median by this one's. */
  readonly ratio: number;
}

export type Verdict = 'met' | 'missed' | 'failed' | 'no target';

export interface Row {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly bound: Bound;
  readonly larder: Statistics | null;
  readonly yardsticks: readonly Compared[];
  readonly verdict: Verdict;
  readonly note: string | null;
}

export type Heading = Pick<Row, 'name' | 'title' | 'unit' | 'bound'>;

export function judgedRow(heading: Heading, { larder: samples, yardsticks = [], note }: Measured): Row {
  const larder = summarise(samples);
  const compared = yardsticks.map((series): Compared => {
    const statistics = summarise(series.samples);
    return { name: series.name, statistics, ratio: larder.median / statistics.median };
  });
  const verdict = judge(heading.bound, larder, compared[0]);
  return { ...heading, larder, yardsticks: compared, verdict, note: note ?? null };
}

/** For a work that could not be done: it counts as a missed target, with its reason. */
export function failedRow(heading: Heading, reason: string): Row {
  return { ...heading, larder: null, yardsticks: [], verdict: 'failed', note: reason };
}

/** @param targetsCount false when the sizes are not those the targets were set for; what failed counts even then */
export function exitCodeOf(rows: readonly Row[], targetsCount: boolean): number {
  const isBad = ({ verdict }: Row) => verdict === 'failed' || (targetsCount && verdict === 'missed');
  return rows.length === 0 || rows.some(isBad) ? 1 : 0;
}

function judge(bound: Bound, larder: Statistics, deciding: Compared | undefined): Verdict {
  if (bound.kind === 'none') return 'no target';
  if (bound.kind === 'value') return larder[bound.of] <= bound.most ? 'met' : 'missed';
  if (deciding === undefined || !Number.isFinite(deciding.ratio)) return 'failed';
  const holds = 'least' in bound ? deciding.ratio >= bound.least : deciding.ratio <= bound.most;
  return holds ? 'met' : 'missed';
}
