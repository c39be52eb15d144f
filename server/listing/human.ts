import { HOUR, MINUTE } from '../lib/clock.ts';
import { daysBetween } from '../lib/datetime.ts';
import { t } from '../messages/messages.ts';

const UNITS = ['sizes.kilobytes', 'sizes.megabytes', 'sizes.gigabytes', 'sizes.terabytes', 'sizes.petabytes'] as const;

/** "13 bytes", "1.4 KB", "52.3 GB", "128 GB": steps of 1024, three digits. */
export function humanSize(bytes: number): string {
  if (bytes < 1024) return t('sizes.bytes', { count: bytes });
  let value = bytes / 1024;
  let unit = 0;
  // From 1023.5 on, three digits would read 1024.
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const amount = value < 99.95 ? value.toFixed(1) : String(Math.round(value));
  return t(UNITS[unit] ?? 'sizes.petabytes', { amount });
}

/** "just now", "5 minutes ago", "yesterday at 17:05", "12 March 2024", in the household's time zone. */
export function humanDate(time: number, now: number): string {
  const age = now - time;
  if (age >= 0 && age < MINUTE) return 'just now';
  if (age >= 0 && age < HOUR) return count(Math.floor(age / MINUTE), 'minute');
  const days = daysBetween(time, now);
  const clock = new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (days === 0) return age >= 0 ? count(Math.floor(age / HOUR), 'hour') : `today at ${clock}`;
  if (days === 1) return `yesterday at ${clock}`;
  return new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
}

function count(value: number, unit: string): string {
  return `${value} ${unit}${value === 1 ? '' : 's'} ago`;
}
