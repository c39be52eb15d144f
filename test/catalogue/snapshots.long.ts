import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Random } from '../model/random.ts';
import { Installation } from '../support/households/server-process.ts';
import { ChangingTree } from './snapshot-changes.ts';

const CHANGES = 10_000;

/** Name, size and modification time of each entry, as the API gives them. */
function present(root: string, segments: readonly string[]): string[] {
  const folder = join(root, ...segments);
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.larder-'))
    .map((name) => {
      const stats = lstatSync(join(folder, name));
      // Not `mtime`, which is rounded.
      const time = `${new Date(Math.floor(stats.mtimeMs)).toISOString().slice(0, 19)}Z`;
      return `${name} ${stats.isDirectory() ? 'folder' : stats.size} ${time}`;
    })
    .sort();
}

it('10,000 changes by another process, each followed by a request: none of the listings is stale', async () => {
  const installation = await Installation.create();
  const tree = new ChangingTree(installation.home, new Random(20_261_123), { folders: 200, files: 3_000 });
  const api = await installation.start();
  const listed = async (segments: readonly string[]) => {
    const path = ['/ROOT/HOME', ...segments].join('/');
    const { body } = await api.get('files/browse', { path, 'details[]': ['fileSize', 'mdate'] });
    const files = body.data.files as { filename: string; is_dir: boolean; fileSize?: number; mdate: string }[];
    return files.map((one) => `${one.filename} ${one.is_dir ? 'folder' : one.fileSize} ${one.mdate}`).sort();
  };
  for (let change = 0; change < CHANGES; change += 1) {
    for (const segments of tree.change()) {
      expect(await listed(segments), `change ${change}: ${segments.join('/')}`).toEqual(
        present(installation.home, segments),
      );
    }
  }
  await installation.remove();
});
