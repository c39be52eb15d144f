/** Files by path, with their contents; null for folders. */
export type Tree = Readonly<Record<string, string | null>>;

export function contentsOf(tree: Tree): Set<string> {
  return new Set(Object.values(tree).filter((content) => content !== null));
}

/** What differs, short enough to read; null if nothing does. */
export function differenceOf(found: object, expected: object): string | null {
  const [lines, wanted] = [linesOf(found), linesOf(expected)];
  const extra = lines.filter((line) => !wanted.includes(line));
  const missing = wanted.filter((line) => !lines.includes(line));
  return extra.length + missing.length === 0 ? null : JSON.stringify({ extra, missing });
}

function linesOf(value: object): string[] {
  return Object.entries(value)
    .filter(([path]) => !isPartOfDownload(path))
    .map(([key, entry]) => `${key}: ${JSON.stringify(entry)?.replaceAll(/x{4,}/g, '…')}`);
}

/** What the client keeps of a download that was cut off: it continues it, or removes it later. */
function isPartOfDownload(path: string): boolean {
  return /(?:^|\/)\.[^/]+\.~[0-9a-f]+$/.test(path);
}
