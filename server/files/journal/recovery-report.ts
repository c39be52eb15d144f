import { isoSeconds } from '../../lib/datetime.ts';
import { t } from '../../messages/messages.ts';
import type { QuarantinedEntry } from './journal.ts';
import type { Recovery } from './recover.ts';

/** What the last start could not finish or undo, for the owner: one or two sentences each. */
export function recoveryProblems({ quarantined, unfinished }: Recovery): string[] {
  return [
    ...quarantined.map(quarantinedText),
    ...unfinished.map(({ kind, error }) => t('api.journal.unfinished', { kind, reason: (error as Error).message })),
  ];
}

export function quarantinedText({ id, kind, createdAt, why }: QuarantinedEntry): string {
  return createdAt === null
    ? t('api.journal.quarantinedUnknown', { id, kind, reason: why })
    : t('api.journal.quarantined', { id, kind, reason: why, time: isoSeconds(createdAt) });
}
