/** Latin letters that have no decomposition into a letter and marks. */
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** The username for a name: its first word in small letters, without accents. Empty if there are no letters or digits. */
export function usernameFor(name: string): string {
  const [first = ''] = name.trim().split(/\s+/);
  // Other writings keep their letters, which usernames may have.
  return first
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Script=Latin}\p{M}+/gu, ([letter = '']) => letter)
    .normalize('NFC')
    .replace(/[ßæœøłđðþı]/g, (letter) => LATIN[letter] ?? letter)
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
