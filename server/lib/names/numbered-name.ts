import { foldName, MAX_NAME_BYTES } from './names.ts';
import { utf8Length } from './utf8-length.ts';

/** Most bytes of an extension. */
const MAX_EXTENSION = 64;

/** "a.txt" → "a<suffix>.txt". The rest is shortened if it does not fit. */
export function suffixedName(name: string, suffix: string, hasExtension = true): string {
  const dot = name.lastIndexOf('.');
  const isExtension = hasExtension && dot > 0 && utf8Length(name.slice(dot)) <= MAX_EXTENSION;
  const [stem, extension] = isExtension ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let short = stem;
  while (utf8Length(short + suffix + extension) > MAX_NAME_BYTES) short = [...short].slice(0, -1).join('');
  return short + suffix + extension;
}

/** "a.txt", "a (2).txt", "a (3).txt", …; the name of a folder has no extension. @param attempt 1 for the name itself */
export function numberedName(name: string, attempt: number, isFolder: boolean): string {
  return attempt === 1 ? name : suffixedName(name, ` (${attempt})`, !isFolder);
}

/** The same names, with numbers added where some system could not distinguish two of them. */
export function uniqueNames(all: readonly { readonly name: string; readonly isFolder: boolean }[]): string[] {
  const taken = new Set<string>();
  // Where the search for each name begins: lower numbers are taken.
  const next = new Map<string, number>();
  return all.map(({ name, isFolder }) => {
    const key = `${isFolder} ${foldName(name)}`;
    for (let attempt = next.get(key) ?? 1; ; attempt += 1) {
      const free = numberedName(name, attempt, isFolder);
      if (taken.has(foldName(free))) continue;
      taken.add(foldName(free));
      next.set(key, attempt + 1);
      return free;
    }
  });
}
