/** A path as one word of a command line, for people to paste. */
export function inShell(path: string): string {
  if (/^[\w/.:\\+@%-]+$/.test(path)) return path;
  // Windows has no other quotes, and no names with these in them.
  return path.includes('\\') && !path.includes('/') ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}
