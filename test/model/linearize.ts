import { createHash } from 'node:crypto';

/** What is remembered of a long text: many of them fit into memory. */
export function digest(text: string): string {
  return createHash('md5').update(text).digest('base64');
}

/** A part of an operation that happens at one moment. */
export interface Step<State, Progress> {
  readonly state: State;
  /** How far the operation has come; null when it is done. */
  readonly progress: Progress | null;
  /**
   * That this step, where it is possible, leaves nothing open: it changed nothing and chose nothing. Then no other order
   * has to be tried.
   */
  readonly isFree: boolean;
}

export interface Timed {
  readonly began: number;
  readonly ended: number;
}

export interface Problem<State, Call extends Timed, Progress> {
  readonly initial: State;
  /** In the order in which they began. */
  readonly calls: readonly Call[];
  /** The steps that agree with the reply of the call; none when it cannot have happened in this state. */
  readonly steps: (state: State, call: Call, progress: Progress | null) => readonly Step<State, Progress>[];
  readonly stateKey: (state: State) => string;
  /** Configurations to look at before giving up. */
  readonly budget: number;
  /** Whether all steps of an operation happen at the same moment. A narrower question, which is answered sooner. */
  readonly isAtomic: boolean;
}

export type Verdict<State, Call> =
  | { readonly kind: 'explained'; readonly state: State; readonly visited: number }
  /** With the calls of which the longest try could explain none next. */
  | {
      readonly kind: 'contradiction';
      readonly explained: number;
      readonly stuck: readonly Call[];
      readonly visited: number;
    }
  | { readonly kind: 'undecided'; readonly visited: number };

interface Configuration<State, Progress> {
  readonly state: State;
  /** All calls before this one are done. */
  readonly first: number;
  /** Those after it that are done. */
  readonly done: ReadonlySet<number>;
  readonly under: ReadonlyMap<number, Progress>;
}

/**
 * Whether the replies can be explained by some order of the operations, in which no operation comes before one that was
 * over before it began (linearizability: Wing & Gong's search, with Lowe's memory of configurations that led nowhere).
 * Operations of several steps may have others between their steps. Depth first, and what ended first is tried first: the
 * search of a correct history goes almost straight to its end.
 */
export function linearize<State, Call extends Timed, Progress>(
  problem: Problem<State, Call, Progress>,
): Verdict<State, Call> {
  const { calls, budget } = problem;
  const seen = new Set<string>();
  const open: Configuration<State, Progress>[] = [
    { state: problem.initial, first: 0, done: new Set(), under: new Map() },
  ];
  let best = { explained: -1, stuck: [] as readonly Call[] };
  for (;;) {
    const configuration = open.pop();
    if (configuration === undefined) return { kind: 'contradiction', ...best, visited: seen.size };
    const key = keyOf(problem, configuration);
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > budget) return { kind: 'undecided', visited: seen.size };
    if (configuration.first === calls.length)
      return { kind: 'explained', state: configuration.state, visited: seen.size };
    const candidates = candidatesOf(calls, configuration);
    const explained = configuration.first + configuration.done.size;
    if (explained > best.explained) best = { explained, stuck: candidates.map((index) => calls[index] as Call) };
    open.push(...followers(problem, configuration, candidates));
  }
}

/** Those that may come next: whatever began before the first of the rest had ended. The first to end stands first. */
function candidatesOf<State, Call extends Timed, Progress>(
  calls: readonly Call[],
  { first, done }: Configuration<State, Progress>,
): number[] {
  let earliest = Number.POSITIVE_INFINITY;
  const candidates: number[] = [];
  for (let index = first; index < calls.length; index += 1) {
    const { began, ended } = calls[index] as Call;
    if (began > earliest) break;
    if (done.has(index)) continue;
    candidates.push(index);
    earliest = Math.min(earliest, ended);
  }
  const endOf = (index: number) => (calls[index] as Call).ended;
  return candidates.filter((index) => (calls[index] as Call).began <= earliest).sort((a, b) => endOf(a) - endOf(b));
}

/** The best try last, where it is taken from. */
function followers<State, Call extends Timed, Progress>(
  problem: Problem<State, Call, Progress>,
  configuration: Configuration<State, Progress>,
  candidates: readonly number[],
): Configuration<State, Progress>[] {
  const all: Configuration<State, Progress>[] = [];
  for (const index of candidates) {
    const call = problem.calls[index] as Call;
    const progress = configuration.under.get(index) ?? null;
    for (const step of problem.isAtomic
      ? wholly(problem, configuration.state, call)
      : problem.steps(configuration.state, call, progress)) {
      const next = after(configuration, index, step);
      if (step.isFree) return [next];
      all.push(next);
    }
  }
  return all.reverse();
}

/** All steps of an operation at once. */
function wholly<State, Call extends Timed, Progress>(
  { steps }: Problem<State, Call, Progress>,
  state: State,
  call: Call,
): Step<State, Progress>[] {
  const ends: Step<State, Progress>[] = [];
  const open: Step<State, Progress>[] = [...steps(state, call, null)].reverse();
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (step.progress === null) ends.push({ ...step, isFree: step.isFree && step.state === state });
    else open.push(...[...steps(step.state, call, step.progress)].reverse());
  }
  return ends;
}

function after<State, Progress>(
  { first, done, under }: Configuration<State, Progress>,
  index: number,
  { state, progress }: Step<State, Progress>,
): Configuration<State, Progress> {
  const nextUnder = new Map(under);
  if (progress !== null) return { state, first, done, under: nextUnder.set(index, progress) };
  nextUnder.delete(index);
  const nextDone = new Set(done).add(index);
  let next = first;
  while (nextDone.delete(next)) next += 1;
  return { state, first: next, done: nextDone, under: nextUnder };
}

function keyOf<State, Call extends Timed, Progress>(
  { stateKey }: Problem<State, Call, Progress>,
  { state, first, done, under }: Configuration<State, Progress>,
): string {
  const sorted = (indexes: Iterable<number>) => [...indexes].sort((a, b) => a - b).join();
  const progress = under.size === 0 ? '' : JSON.stringify([...under].sort(([a], [b]) => a - b));
  return digest(`${first} ${sorted(done)} ${progress}\n${stateKey(state)}`);
}
