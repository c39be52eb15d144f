import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { albumJson, albumsOf, ended, JUNE, LAKE, photo, putArchives, start, YEAR } from '../imports/support.ts';
import { describeInFull, itInFull, sampled } from '../support/forms.ts';
import { Installation } from '../support/households/server-process.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.create();
});
afterAll(() => installation.remove());

/** More than a batch, in two archives, with the same photo in a year and an album, and two photos of the same name. */
const COUNT = 70;
const names = Array.from({ length: COUNT }, (_, index) => `IMG_${index}.jpg`);

function exportOf(round: string) {
  const year = names.flatMap((name) => photo(`${YEAR}/${name}`, `${round} ${name}`));
  const album = names.slice(0, 10).flatMap((name) => photo(`${LAKE}/${name}`, `${round} ${name}`, { favorited: true }));
  const own = photo(`${LAKE}/only.jpg`, `${round} only`);
  return [year, [...album, ...own, { name: `${LAKE}/metadata.json`, content: albumJson(round) }]] as const;
}

/** Where an import may be interrupted: while a file gets its name, between the files and their rows, and between batches. */
const POINTS = [
  'imports.unpacked',
  'imports.stored',
  'imports.batch',
  'storage.publish.chosen',
  'storage.publish.named',
] as const;

describe('an import continues after the server is killed', () => {
  it.each(sampled(POINTS, 2))('at %s: nothing is missing or duplicated', async (point) => {
    const folder = `In ${point}`;
    const archives = await putArchives(installation.home, ...exportOf(point));
    let api = await installation.start(`${point}=kill`);
    const { import: id } = await start(api, archives, { target: `/ROOT/HOME/${folder}` }).catch(() => ({ import: '' }));
    await installation.died();
    expect(installation.hasReached(point)).toBe(true);
    api = await installation.start();
    const [latest] = (await api.get('imports/list')).body.data.imports;
    const { import: done, notes } = await ended(api, id === '' ? latest.import : id);
    const all = names.length + 11;
    expect(done).toMatchObject({ state: 'done', total: all, handled: all, inAlbums: 11 });
    expect([done.stored, done.known]).toEqual([names.length + 1, 10]);
    expect(notes).toEqual([]);
    const year = join(installation.home, folder, 'Photos from 2019');
    expect((await readdir(year)).sort()).toEqual([...names].sort());
    for (const name of names) {
      expect(await readFile(join(year, name), 'utf8')).toBe(`${point} ${name}`);
      expect((await stat(join(year, name))).mtimeMs).toBe(JUNE * 1_000);
    }
    expect(await readdir(join(installation.home, folder, 'At the lake'))).toEqual(['only.jpg']);
    expect((await albumsOf(api))[point]).toEqual([...names.slice(0, 10), 'only.jpg'].sort());
    expect(await readdir(join(installation.folder, '.larder', 'incoming'))).toEqual([]);
    expect((await installation.doctor()).problems.filter((text) => !/are free in/.test(text))).toEqual([]);
    await installation.kill();
  });

  itInFull('repeatedly, at the end of every batch', async () => {
    const [year, album] = exportOf('again');
    // Every archive is a batch of its own.
    const parts = [0, 1, 2].map((part) => year.filter((_, index) => Math.floor(index / 2) % 3 === part));
    const archives = await putArchives(installation.home, ...parts, album);
    let api = await installation.start('imports.batch=kill');
    await start(api, archives, { target: '/ROOT/HOME/Again' }).catch(() => null);
    await installation.died();
    for (let batch = 0; batch < 3; batch += 1) {
      await installation.start('imports.batch=kill').catch(() => null);
      await installation.died();
    }
    api = await installation.start();
    const [latest] = (await api.get('imports/list')).body.data.imports;
    const { import: done } = await ended(api, latest.import);
    expect(done).toMatchObject({ state: 'done', stored: names.length + 1, known: 10, inAlbums: 11 });
    const stored = await readdir(join(installation.home, 'Again', 'Photos from 2019'));
    expect(stored.sort()).toEqual([...names].sort());
    await installation.kill();
  });
});

describeInFull('an import that is cancelled', () => {
  it('stops after the current photos, and continues with the others later', async () => {
    const archives = await putArchives(installation.home, ...exportOf('cancelled'));
    const [reached, goOn] = ['reached', 'go'].map((end) => join(installation.points, `imports.batch.${end}`));
    await rm(reached ?? '', { force: true });
    let api = await installation.start('imports.batch=pause');
    const { import: id } = await start(api, archives, { target: '/ROOT/HOME/Cancelled' });
    await expect.poll(() => installation.hasReached('imports.batch')).toBe(true);
    expect((await api.post('imports/cancel', { import: id })).status).toBe(200);
    await writeFile(goOn ?? '', '');
    const cancelled = (await ended(api, id)).import;
    expect(cancelled).toMatchObject({ state: 'cancelled', total: 81 });
    expect(cancelled.handled).toBeLessThan(81);
    await installation.stop();
    api = await installation.start();
    // It does not go on by itself.
    expect((await ended(api, id)).import).toEqual(cancelled);
    expect((await api.post('imports/resume', { import: id })).status).toBe(200);
    expect((await ended(api, id)).import).toMatchObject({ state: 'done', stored: 71, known: 10, inAlbums: 11 });
    await installation.kill();
  });
});
