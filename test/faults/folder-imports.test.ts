import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FolderImport, putUnpacked, putZips } from '../imports/folder-support.ts';
import { albumJson, albumsOf, ended, JUNE, LAKE, photo, YEAR } from '../imports/support.ts';
import { sampled } from '../support/forms.ts';
import { Installation } from '../support/households/server-process.ts';

let installation: Installation;
let disk = '';
beforeAll(async () => {
  installation = await Installation.create();
  disk = await mkdtemp(join(await realpath(tmpdir()), 'larder-test-'));
});
afterAll(async () => {
  await installation.remove();
  await rm(disk, { recursive: true, force: true });
});

/** More than a batch, unpacked, and an archive with an album of some of them. */
const COUNT = 70;
const names = Array.from({ length: COUNT }, (_, index) => `IMG_${index}.jpg`);

const POINTS = ['imports.unpacked', 'imports.stored', 'imports.batch', 'storage.publish.named'] as const;

describe('an import of a folder of the disk continues after the server is killed', () => {
  it.each(sampled(POINTS, 2))('at %s: nothing is missing or duplicated', async (point) => {
    const folder = join(disk, point);
    await putUnpacked(
      folder,
      names.flatMap((name) => photo(`${YEAR}/${name}`, `${point} ${name}`)),
    );
    const album = names.slice(0, 10).flatMap((name) => photo(`${LAKE}/${name}`, `${point} ${name}`));
    await putZips(folder, { 'album.zip': [...album, { name: `${LAKE}/metadata.json`, content: albumJson(point) }] });
    let api = await installation.start(`${point}=kill`);
    await installation.control('imports.start', { folder, accountId: 1, target: `In ${point}` }).catch(() => null);
    await installation.died();
    expect(installation.hasReached(point)).toBe(true);
    api = await installation.start();
    const { imports } = (await installation.control('imports.list')) as { imports: FolderImport[] };
    const { import: done, notes } = await ended(api, imports[0]?.import ?? '');
    const all = COUNT + 10;
    expect(done).toMatchObject({ state: 'done', total: all, handled: all, stored: COUNT, known: 10, inAlbums: 10 });
    expect(notes).toEqual([]);
    const year = join(installation.home, `In ${point}`, 'Photos from 2019');
    expect((await readdir(year)).sort()).toEqual([...names].sort());
    for (const name of names) {
      expect(await readFile(join(year, name), 'utf8')).toBe(`${point} ${name}`);
      expect((await stat(join(year, name))).mtimeMs).toBe(JUNE * 1_000);
    }
    expect((await albumsOf(api))[point]).toEqual(names.slice(0, 10).sort());
    expect(await readdir(join(installation.folder, '.larder', 'incoming'))).toEqual([]);
    await installation.kill();
  });
});
