/** What macOS and Windows store beside people's files: attributes of a file, and settings of a folder. */
const SETTINGS: ReadonlySet<string> = new Set(['.ds_store', 'thumbs.db', 'desktop.ini']);

/**
 * Whether a file is one that operating systems store for themselves. It is a file like any other, but listings and searches leave it
 * out. @param name of the file, without its folder
 */
export function isHiddenName(name: string): boolean {
  return name.startsWith('._') || SETTINGS.has(name.toLowerCase());
}

/** The name of the file in which macOS stores the attributes of a file, beside it on disks that have none. */
export function companionName(name: string): string {
  return `._${name}`;
}
