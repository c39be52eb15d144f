import { isoSeconds } from '../../lib/datetime.ts';
import type { QuarantinedEntry } from './journal.ts';
import type { Recovery } from './recover.ts';

/** What the last start could not finish or undo, for the owner: one or two sentences each. */
export function recoveryProblems({ quarantined, unfinished }: Recovery): string[] {
  return [
    ...quarantined.map(quarantinedText),
    ...unfinished.map(
      ({ kind, error }) =>
        `A change that was interrupted (${kind}) could not be finished: ${(error as Error).message}. Nothing of it was removed, and every start tries again.`,
    ),
  ];
}

export function quarantinedText({ id, kind, createdAt, why }: QuarantinedEntry): string {
  return (
    `Entry ${id} of the journal, a change that was interrupted (${kind}, begun ${createdAt === null ? 'at an unknown time' : isoSeconds(createdAt)}), cannot be finished: it ${why}. ` +
    `It is retained, everything else was recovered, and no file was removed. A version of Larder that can read it finishes it; if there is none, compare what was changed at that time with a backup.`
  );
}
