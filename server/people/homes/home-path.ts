import { posix, win32 } from 'node:path';
import { invalidNameText } from '../../files/create-folder.ts';
import { foldName, isReachable, MAX_NAME_BYTES, newNameProblem } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import { isReserved } from '../../storage/paths/folder-handle.ts';

/** The path syntax of a system. */
export type Flavour = 'posix' | 'windows';

const platformFlavour: Flavour = process.platform === 'win32' ? 'windows' : 'posix';

const MAX_PATH_BYTES = 4_096;

/** The path of a home in the system's own form, or why it is invalid, as a sentence. */
type ReadPath = { readonly path: string } | { readonly problem: string };

/** Validates a path without access to the disk. Windows paths may have either slash. */
export function readHomePath(text: string, flavour: Flavour = platformFlavour): ReadPath {
  if (Buffer.byteLength(text) > MAX_PATH_BYTES) return { problem: t('api.homes.pathTooLong') };
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) {
    return { problem: t('api.homes.pathCharacters') };
  }
  const { isAbsolute, parse, sep } = flavour === 'windows' ? win32 : posix;
  const native = flavour === 'windows' ? text.replaceAll('/', '\\') : text;
  const { root } = parse(native);
  // On Windows `\folder` is relative to the current disk, and `\\?\` disables the checks of names.
  const isWhole = isAbsolute(native) && root !== '\\' && !/^\\\\[?.]\\/.test(native);
  if (!isWhole) return { problem: t('api.homes.pathRelative') };
  const segments = native.slice(root.length).split(sep).filter(Boolean);
  if (segments.length === 0) return { problem: t('api.homes.pathDisk') };
  for (const segment of segments) {
    const problem = segmentProblem(segment, flavour);
    if (problem !== null) return { problem };
  }
  return { path: root + segments.join(sep) };
}

function segmentProblem(segment: string, flavour: Flavour): string | null {
  if (!isReachable(segment)) return t('api.homes.pathDots');
  if (Buffer.byteLength(segment) > MAX_NAME_BYTES) return t('api.homes.pathNameTooLong');
  if (isReserved(segment)) return t('api.homes.pathReserved');
  const reason = flavour === 'windows' ? newNameProblem(segment) : null;
  return reason === null ? null : invalidNameText(reason);
}

/** System folders, including everything in them. */
const SYSTEM_TREES: Record<Flavour, readonly string[]> = {
  posix: [
    ...['/etc', '/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/boot', '/dev', '/proc', '/sys'],
    ...['/snap', '/nix', '/System', '/Library', '/Applications', '/private/etc', '/var/lib/dpkg', '/var/run'],
  ],
  windows: ['C:\\Windows', 'C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\ProgramData', 'C:\\Recovery'],
};

/** System folders that contain people's folders. */
const SYSTEM_FOLDERS: Record<Flavour, readonly string[]> = {
  posix: [
    ...['/', '/var', '/var/lib', '/var/log', '/var/cache', '/var/spool', '/var/tmp', '/root', '/home', '/run', '/tmp'],
    ...['/run/media', '/run/user', '/lost+found', '/Users', '/Volumes', '/private', '/private/var', '/private/tmp'],
  ],
  windows: ['C:\\Users', 'C:\\Users\\Public', 'C:\\System Volume Information', 'C:\\$Recycle.Bin'],
};

/**
 * Whether a folder belongs to the system, and so cannot be a home.
 * @param path from `readHomePath`
 * @param osHome the home of the operating system's user: folders in it are allowed
 */
export function isSystemFolder(path: string, osHome: string, flavour: Flavour = platformFlavour): boolean {
  const isThis = (location: string) => isSame(path, location, flavour);
  return (
    isThis(osHome) ||
    isInside(osHome, path, flavour) ||
    SYSTEM_FOLDERS[flavour].some(isThis) ||
    SYSTEM_TREES[flavour].some((tree) => isThis(tree) || isInside(path, tree, flavour))
  );
}

/** Whether two paths are the same folder. Case is ignored where disks ignore it. */
export function isSame(path: string, other: string, flavour: Flavour = platformFlavour): boolean {
  return folded(path, flavour) === folded(other, flavour);
}

/** Whether a path is below a folder, and not that folder itself. */
export function isInside(path: string, folder: string, flavour: Flavour = platformFlavour): boolean {
  const [inner, outer] = [folded(path, flavour), folded(folder, flavour)];
  const separator = flavour === 'windows' ? '\\' : '/';
  return inner !== outer && inner.startsWith(outer.endsWith(separator) ? outer : outer + separator);
}

function folded(path: string, flavour: Flavour): string {
  const { normalize } = flavour === 'windows' ? win32 : posix;
  const plain = normalize(path).replace(/(?<=[^\\/:])[\\/]+$/, '');
  return flavour === 'windows' || process.platform === 'darwin' ? foldName(plain) : plain;
}

/** With forward slashes, as the API shows paths of the host. */
export function shownHomePath(path: string, flavour: Flavour = platformFlavour): string {
  return flavour === 'windows' ? path.replaceAll('\\', '/') : path;
}
