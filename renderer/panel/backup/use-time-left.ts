import { useRef } from 'react';
import { t } from '../../messages/messages.ts';
import type { BackupState } from './backup.ts';

/** Milliseconds of work before an estimate is meaningful. */
const FIRST_GUESS = 3_000;
const MINUTE = 60_000;

/** The estimated remaining time as text; null while unknown. */
export function useTimeLeft({ phase, doneBytes, totalBytes }: BackupState['progress']): string | null {
  const begun = useRef({ phase, doneBytes, at: performance.now() });
  if (begun.current.phase !== phase) begun.current = { phase, doneBytes, at: performance.now() };
  if (totalBytes === null) return null;
  const worked = performance.now() - begun.current.at;
  const done = doneBytes - begun.current.doneBytes;
  if (worked < FIRST_GUESS || done <= 0) return null;
  const left = ((totalBytes - doneBytes) * worked) / done;
  if (left < MINUTE) return t('backup.progress.left.soon');
  if (left < 90 * MINUTE) return t('backup.progress.left.minutes', { minutes: Math.round(left / MINUTE) });
  return t('backup.progress.left.hours', { hours: Math.round(left / (60 * MINUTE)) });
}
