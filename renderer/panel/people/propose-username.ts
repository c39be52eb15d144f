import { searchFold } from '../../../server/lib/names/names.ts';

/** The username for a name: its first word in small letters, without accents. Empty if there are no letters or digits. */
export function usernameFor(name: string): string {
  const [first = ''] = name.trim().split(/\s+/);
  // Other writings keep their letters, which usernames may have.
  return first
    .normalize('NFKC')
    .replace(/\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu, searchFold)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}.-]/gu, '');
}

/** The same with the first number that makes it free. @param taken usernames in small letters */
export function freeUsername(requested: string, taken: ReadonlySet<string>): string {
  if (requested === '' || !taken.has(requested)) return requested;
  for (let number = 2; ; number += 1) {
    const numbered = `${requested}${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}
