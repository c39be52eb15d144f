import { foldName } from '../../lib/names/names.ts';
import { numberedName } from '../../lib/names/numbered-name.ts';

/** The name itself, or with the first free number. @param taken folded names */
export function freeName(taken: ReadonlySet<string>, name: string): string {
  for (let attempt = 1; ; attempt += 1) {
    const numbered = numberedName(name, attempt, false);
    if (!taken.has(foldName(numbered))) return numbered;
  }
}
