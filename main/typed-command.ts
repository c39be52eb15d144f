import { existsSync } from 'node:fs';

/** The command line that the Debian package brings. */
const INSTALLED = '/usr/bin/larder';

/**
 * How the command line of this application is typed in a terminal.
 * @param executable the path of the application's own program
 * @param environment of the application: an AppImage says in it where it lies
 */
export function typedCommand(
  executable: string,
  { APPIMAGE }: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (APPIMAGE === undefined && platform === 'linux' && existsSync(INSTALLED)) return 'larder';
  return `${quoted(APPIMAGE ?? executable)} --cli`;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`;
}
