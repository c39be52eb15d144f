/** A backslash parts folders for many who unpack, so that it gets a sign that only looks like one. */
export function entryName(name: string): string {
  return name.replaceAll('\\', '\u29f5');
}

/** The same for a colon in the first place: it would be a drive. */
export function rootName(name: string): string {
  return entryName(name).replaceAll(':', '\ua789');
}
