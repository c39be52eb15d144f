import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** What the application remembers of this computer and its user. Everything else is in the household's folder. */
const desktopSettings = z.object({
  folder: z.string().min(1).nullable().catch(null),
  /** Whether a server has run on the folder: from then on it is never made anew in an empty place. */
  hasRun: z.boolean().catch(false),
  port: z.int().min(1).max(65_535).nullable().catch(null),
  keepsAwake: z.boolean().catch(false),
  /** Whether single letters do something in the window. */
  letterKeys: z.boolean().catch(true),
  /** That it goes on when its window is closed. */
  hasToldThatItStays: z.boolean().catch(false),
});

type Values = z.infer<typeof desktopSettings>;

export interface DesktopSettings {
  readonly values: Readonly<Values>;
  /** On the disk when it returns. @throws NodeJS.ErrnoException; then nothing has changed */
  update(changes: Partial<Values>): void;
}

/**
 * @param file absolute; made with the first change. One that cannot be read counts as none: nothing in it is more than a
 * choice that can be made again.
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
