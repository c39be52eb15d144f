import type { HomeRoot } from '../paths/folder-handle.ts';
import type { FolderWatch, WatchListener, WatchParts } from './watch.ts';
import { watchEachFolder } from './watch-each-folder.ts';
import { watchWholeTree } from './watch-whole-tree.ts';

export function watchFolders({ root }: HomeRoot, parts: WatchParts, listener: WatchListener): FolderWatch {
  return process.platform === 'linux' ? watchEachFolder(root, parts, listener) : watchWholeTree(root, listener);
}
