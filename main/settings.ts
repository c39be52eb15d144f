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
}

/**
 * @param file absolute; created with the first change. An unreadable one counts as missing: it only contains choices that can be
 * made again
 */
export function openSettings(file: string): DesktopSettings {
  let values = desktopSettings.parse(read(file));
  return {
    get values() {
      return values;
    },
    update(changes) {
      const next = { ...values, ...changes };
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, `${JSON.stringify(next, null, 2)}\n`, { flush: true });
      renameSync(`${file}.new`, file);
      values = next;
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
