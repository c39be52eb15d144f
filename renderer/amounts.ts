import { texts } from './texts/texts.ts';

const { units, byte, bytes: manyBytes } = texts.amounts;

/** Bytes in steps of 1024, three digits: `13 bytes`, `1.4 KB`, `52.3 GB`, `128 GB`. */
export function size(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? byte : manyBytes(bytes);
  let value = bytes / 1024;
  let unit = 0;
  // From 1023.5 on, three digits would read 1024.
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
