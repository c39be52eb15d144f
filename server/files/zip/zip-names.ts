/** Many tools treat a backslash as a separator, so it is replaced by a character that looks like it. */
export function entryName(name: string): string {
  return name.replaceAll('\\', '\u29f5');
}

/** The same for colons: at the start of a path, Windows would read one as a drive. */
export function rootName(name: string): string {
  return entryName(name).replaceAll(':', '\ua789');
}
