import { lstat, realpath } from 'node:fs/promises';

/** The real path of a folder of this machine, or why there is none. */
type RealFolder = { readonly path: string } | { readonly problem: 'missing' | 'file' | 'denied' };

/** Follows all links of a path to a folder. @param path absolute */
export async function realFolder(path: string): Promise<RealFolder> {
  try {
    const real = await realpath(path);
    return (await lstat(real)).isDirectory() ? { path: real } : { problem: 'file' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return { problem: 'file' };
    return { problem: code === 'EACCES' || code === 'EPERM' ? 'denied' : 'missing' };
  }
}
