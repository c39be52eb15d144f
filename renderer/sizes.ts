import { t } from './messages/messages.ts';

const UNITS = ['KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes in steps of 1024, three digits: `13 bytes`, `1.4 KB`, `52.3 GB`, `128 GB`. */
export function size(bytes: number): string {
  if (bytes < 1024) return t('size.bytes', { bytes });
  let value = bytes / 1024;
  let index = 0;
  // From 1023.5 on, three digits would read 1024.
  while (value >= 1023.5 && index < UNITS.length - 1) {
    value /= 1024;
    index += 1;
  }
  const shown = value < 99.95 ? value.toFixed(1) : Math.round(value);
  return t('size.larger', { value: shown, unit: t(`size.units.${UNITS[index] ?? 'PB'}`) });
}
