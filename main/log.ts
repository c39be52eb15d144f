import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Bytes after which the file begins anew; the one before is kept. */
const LARGEST = 1024 * 1024;
/** Characters of one entry: whatever somebody else says fits in. */
const LONGEST = 4_000;

/** What the application itself did, and what was refused to its pages. What the server does is in the server's own log. */
export interface DesktopLog {
  /** Never throws: a log that cannot be written is no reason to stop. */
  write(text: string): void;
}

/** @param file absolute */
export function openLog(file: string): DesktopLog {
  return {
    write(text) {
      const line = text
        .slice(0, LONGEST)
        .replaceAll(/\s*\n\s*/g, ' | ')
        .replaceAll(/[^\P{Cc}\t]/gu, '');
      try {
        mkdirSync(dirname(file), { recursive: true });
        if (sizeOf(file) > LARGEST) renameSync(file, `${file}.old`);
        appendFileSync(file, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
      } catch {
        // The disk is full, or the folder is not ours: the window says what matters.
      }
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
