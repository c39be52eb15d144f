import type { Call } from './history.ts';
import { linearize, type Problem, type Verdict } from './linearize.ts';
import type { Round } from './round.ts';
import { type State, stateKey } from './state.ts';
import { type Progress, stepsOf } from './steps.ts';

/**
 * From narrow questions, which are answered soon, to the whole one; the budget is in configurations. A correct part of a
 * round mostly needs about as many as it has calls.
 */
const QUESTIONS = [
  { isAtomic: true, readsAtOnce: true, budget: 3_000 },
  { isAtomic: false, readsAtOnce: true, budget: 40_000 },
  { isAtomic: false, readsAtOnce: false, budget: 80_000 },
] as const;

type Answer = Verdict<State, Call>;

/** Why a round is wrong, or null when everything about it can be explained. */
export type Complaint =
  | { readonly kind: 'disagreement'; readonly problems: readonly string[] }
  | {
      readonly kind: 'contradiction';
      readonly part: number;
      readonly calls: readonly Call[];
      readonly stuck: readonly Call[];
    }
  | { readonly kind: 'undecided'; readonly part: number };

/**
 * What this proves of a round: there is an order of all operations, in which none comes before one that was over before
 * it began, such that the rules of the API, applied one after the other in that order, give every single reply that
 * was received (also the failures) and in the end exactly the tree, contents, numbers, old contents, trash, unfinished
 * uploads and identities that disk and database have. Operations of several steps are tried in one piece first; only
 * where that explains nothing, others may come between their steps. After each look there is one possible state, so that
 * the parts of a round can be searched one by one and nothing is lost.
 */
export function complaintOf({
  initial,
  parts,
  problems,
}: Pick<Round, 'initial' | 'parts' | 'problems'>): Complaint | null {
  let state = initial;
  for (const [part, calls] of parts.entries()) {
    const answer = explain(state, calls);
    if (answer.kind === 'undecided') return { kind: 'undecided', part };
    if (answer.kind === 'contradiction') {
      const fewer = shrunk(state, calls);
      const again = explain(state, fewer);
      return { kind: 'contradiction', part, calls: fewer, stuck: again.kind === 'contradiction' ? again.stuck : [] };
    }
    state = answer.state;
  }
  return problems.length === 0 ? null : { kind: 'disagreement', problems };
}

export function explain(initial: State, calls: readonly Call[]): Answer {
  let answer: Answer = { kind: 'undecided', visited: 0 };
  for (const { isAtomic, readsAtOnce, budget } of QUESTIONS) {
    const steps = (state: State, call: Call, progress: Progress | null) => stepsOf(state, call, progress, readsAtOnce);
    const problem: Problem<State, Call, Progress> = { initial, calls, steps, stateKey, budget, isAtomic };
    answer = linearize(problem);
    if (answer.kind === 'explained') return answer;
  }
  return answer;
}

/** Number of tries after which a contradiction is told as short as it is by then. */
const MAX_TRIES = 100;

/** Without the calls that changed nothing and are not needed for the contradiction: leaving one out adds no new one. */
function shrunk(initial: State, calls: readonly Call[]): readonly Call[] {
  let tries = 0;
  let rest = calls;
  for (const call of calls) {
    const changesNothing = call.reply.code !== null || /list|browse|download|observe/.test(call.operation.kind);
    // Of an upload that was refused, folders or pieces may stay.
    if (!changesNothing || call.operation.kind === 'upload') continue;
    if (tries === MAX_TRIES) break;
    tries += 1;
    const without = rest.filter((other) => other !== call);
    if (explain(initial, without).kind === 'contradiction') rest = without;
  }
  return rest;
}
