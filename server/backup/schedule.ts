import type { SettingsValues } from '../settings/settings.ts';

type Schedule = Pick<SettingsValues, 'backupEvery' | 'backupHour'>;

/**
 * When the next backup is due, in milliseconds since the epoch; null for never. By the server's local calendar: at the same hour
 * even after clock changes.
 * @param last when the last one was made
 */
export function nextDue({ backupEvery, backupHour }: Schedule, last: number): number | null {
  if (backupEvery === 'never') return null;
  const at = new Date(last);
  at.setHours(backupHour, 0, 0, 0);
  if (backupEvery === 'week') at.setDate(at.getDate() + 7);
  else if (at.getTime() <= last) at.setDate(at.getDate() + 1);
  return at.getTime();
}
