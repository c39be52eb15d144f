import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** Settings of the application on this computer. Everything else is in the household's folder. */
const desktopSettings = z.object({
  folder: z.string().min(1).nullable().catch(null),
  /** Whether a server has run on the folder: from then on, a missing one is not created again. */
  hasRun: z.boolean().catch(false),
  port: z.int().min(1).max(65_535).nullable().catch(null),
  keepsAwake: z.boolean().catch(false),
  /** Whether single-letter shortcuts are enabled in the window. */
  letterKeys: z.boolean().catch(true),
  /** Whether the user was told that it continues when its window is closed. */
  hasToldThatItStays: z.boolean().catch(false),
});

type Values = z.infer<typeof desktopSettings>;

export interface DesktopSettings {
  readonly values: Readonly<Values>;
  /** Written to the disk when it returns. @throws NodeJS.ErrnoException; then nothing has changed */
  update(changes: Partial<Values>): void;
  /** The same for what nobody has asked for: if it cannot be written, that is logged, and the next change tries again. */
  remember(changes: Partial<Values>): void;
}

/**
 * @param file absolute; created with the first change. An unreadable one counts as missing: it only contains choices that can be
 * made again
 * @param write for the log
 */
export function openSettings(file: string, write: (line: string) => void): DesktopSettings {
  let values = desktopSettings.parse(read(file));

  function update(changes: Partial<Values>): void {
    const next = { ...values, ...changes };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, `${JSON.stringify(next, null, 2)}\n`, { flush: true });
    renameSync(`${file}.new`, file);
    values = next;
  }

  return {
    get values() {
      return values;
    },
    update,
    remember(changes) {
      try {
        update(changes);
      } catch (error) {
        write(`the settings could not be written: ${(error as Error).message}`);
      }
    },
  };
}

function read(file: string): object {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}
