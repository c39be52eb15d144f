/** The name of a folder's parent, on any system; the path itself if there is no parent. */
export function parentOf(folder: string): string {
  const parts = folder.split(/[\\/]/).filter((part) => part !== '');
  return parts.at(-2) ?? folder;
}
