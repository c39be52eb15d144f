import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Bytes after which the file is rotated; one older file is retained. */
const LARGEST = 1024 * 1024;
/** Characters of one entry, which may quote texts of others. */
const LONGEST = 4_000;

/** Actions of the application, and refused requests of its pages. The server has its own log. */
export interface DesktopLog {
  /** Never throws, because logging must not stop the application. */
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
        // The disk is full, or the folder is not writable: important problems are shown in the window anyway.
      }
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
