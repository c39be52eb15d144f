import { existsSync } from 'node:fs';

/** The command line installed by the Debian package. */
const INSTALLED = '/usr/bin/larder';

/**
 * The command line of this application, as typed in a terminal.
 * @param executable the path of the application's own program
 * @param environment of the application, which contains the path of an AppImage
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
