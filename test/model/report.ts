import type { Complaint } from './check.ts';
import type { Call } from './history.ts';
import type { Round } from './round.ts';

/** What went wrong in a round, and how to play it again. */
export function reportOf({ seed, initial }: Round, complaint: Complaint): string {
  const again = `LARDER_SEED=${seed} npx vitest run test/model/rounds.test.ts`;
  const head = [`round ${seed}, versionsKept ${initial.versionsKept}; play it again: ${again}`];
  switch (complaint.kind) {
    case 'disagreement':
      return [...head, 'disk, catalogue and listings disagree:', ...complaint.problems].join('\n');
    case 'undecided':
      return [...head, `part ${complaint.part} has too many possible orders`].join('\n');
    case 'contradiction':
      return [
        ...head,
        `no order of the operations explains the replies of part ${complaint.part} (those that matter):`,
        ...complaint.calls.map(line),
        'the longest try ended before one of these:',
        ...complaint.stuck.map(line),
      ].join('\n');
  }
}

function line({ id, client, operation, reply, began, ended, took }: Call): string {
  const { kind, ...what } = operation;
  const { code, status, ...said } = reply;
  const answer = code === null ? JSON.stringify(said) : code;
  return `#${id} client ${client} [${began}-${ended}, ${took.toFixed(1)} ms] ${kind} ${JSON.stringify(what)} -> ${status} ${answer}`;
}
