import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file and folder below, by path, with the hash of its content, to compare two trees. */
export async function treeOf(folder: string, below = ''): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const name of (await readdir(folder, { encoding: 'latin1' })).sort()) {
    const at = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
    const path = join(below, name);
    if ((await lstat(at)).isDirectory())
      Object.assign(tree, { [path]: 'folder' }, await treeOf(join(folder, name), path));
    else
      tree[path] = createHash('sha256')
        .update(await readFile(at))
        .digest('hex');
  }
  return tree;
}
