/** The name of the folder that a folder is in, on any system; the path itself where there is none above it. */
export function parentOf(folder: string): string {
  const parts = folder.split(/[\\/]/).filter((part) => part !== '');
  return parts.at(-2) ?? folder;
}
