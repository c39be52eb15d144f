/** A path as one word of a command line, to be pasted. */
export function inShell(path: string): string {
  if (/^[\w/.:\\+@%-]+$/.test(path)) return path;
  // Windows has no other quotes, and no names that contain them.
  return path.includes('\\') && !path.includes('/') ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}
