import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPhotoTimelines } from '../../dist/server/catalogue/photos.js';
import { MINUTE } from '../../dist/server/lib/clock.js';
import { LARDER } from '../../dist/server/lib/events.js';
import { isFullForm, itInFull } from '../support/forms.ts';
import { type EmbeddedHousehold, openEmbeddedHousehold } from '../support/households/embedded-household.ts';
import { HOME_ID } from '../support/households/index-household.ts';
import { holdTimers } from '../support/system/held-timers.ts';
import { fixture } from '../workers/embedded-support.ts';
import { isAlive } from '../workers/support.ts';

const ODD_WORKER = fileURLToPath(new URL('../workers/odd-embedded-worker.mjs', import.meta.url));
/** Milliseconds: also on a slow computer, a process starts and reads a few words within them. */
const DEADLINE = 8_000;

let house: EmbeddedHousehold;
beforeEach(async () => {
  house = await openEmbeddedHousehold();
});
afterEach(async () => {
  await house.close();
  expect(house.workers.filter(isAlive), 'processes that are left').toEqual([]);
});

/** Puts a file of a real program into the home. */
async function put(name: string, path: string): Promise<void> {
  await house.write(name, await fixture(path));
}

async function read(): Promise<void> {
  await house.look();
  await house.settled();
}

async function everything() {
  return {
    values: await house.database.all('SELECT item_id FROM metadata_values'),
    terms: await house.database.all('SELECT value FROM metadata_terms'),
    places: await house.places(),
    states: await house.states(),
  };
}

describe('files', () => {
  it('of every type have their metadata in fields soon after they are found', async () => {
    house.start();
    await put('photo.jpg', 'pictures/camera.jpg');
    await put('raw.cr3', 'raw/CanonRaw.cr3');
    await put('film.mov', 'video/apple-keys.mov');
    await put('song.flac', 'audio/cover.flac');
    await put('letter.odt', 'documents/text.odt');
    await put('book.epub', 'documents/book.epub');
    await put('drawing.svg', 'pictures/drawing.svg');
    await put('no photo.jpg', 'documents/ghostscript.pdf');
    await house.write('text.txt', 'nothing');
    await read();
    expect(await house.fields('photo.jpg')).toMatchObject({
      'image.taken': '2024-05-06T07:08:09+02:00',
      'image.camera': 'Canon EOS R6',
      'image.place': '48.85837, 2.29448',
    });
    expect(await house.fields('raw.cr3')).toMatchObject({ 'image.camera': 'Canon EOS M50' });
    expect(await house.fields('film.mov')).toMatchObject({ 'video.camera': 'Apple iPhone 15 Pro' });
    expect(await house.fields('song.flac')).toMatchObject({ 'audio.title': 'Rain', 'audio.artist': 'Ann, Ben' });
    expect(await house.fields('letter.odt')).toMatchObject({ 'document.title': 'A letter' });
    expect(await house.fields('book.epub')).toMatchObject({ 'document.author': 'Ann Example, Ben Example' });
    expect(await house.places()).toEqual([
      { name: 'film.mov', latitude: 35.6586, longitude: 139.7454 },
      { name: 'photo.jpg', latitude: 48.85837, longitude: 2.29448 },
    ]);
    const states = await house.states();
    expect(states).toMatchObject({ 'drawing.svg': 'empty', 'no photo.jpg': 'empty', 'photo.jpg': 'indexed' });
    expect(states).not.toHaveProperty('text.txt');
    expect(await house.counts()).toEqual({ waiting: 0, indexed: 6, failed: 0 });
    expect(house.workers).toHaveLength(1);
  });

  it('update the months of photos as soon as they are read', async () => {
    const months = createPhotoTimelines(house.database);
    await put('photo.jpg', 'pictures/camera.jpg');
    await house.look();
    expect((await months(HOME_ID)).months).not.toMatchObject([{ month: '2024-05' }]);
    house.start();
    await house.settled();
    expect((await months(HOME_ID)).months).toMatchObject([{ month: '2024-05' }]);
  });

  it('that change keep the old values until they are read again', async () => {
    house.start();
    await put('photo.jpg', 'pictures/camera.jpg');
    await read();
    await house.stop();
    await put('photo.jpg', 'pictures/windows.jpg');
    await house.look();
    expect(await house.fields('photo.jpg')).toMatchObject({ 'image.camera': 'Canon EOS R6' });
    expect(await house.places()).toHaveLength(1);
    house.start();
    await house.settled();
    expect(await house.fields('photo.jpg')).toEqual({
      ...{ 'image.title': 'Großmutter', 'image.description': 'Her 80th', 'image.author': 'Anna, Ben' },
      ...{ 'image.keywords': 'birthday, family', 'image.dimensions': '64 × 48' },
    });
    expect(await house.places()).toEqual([]);
    expect(await house.database.get("SELECT taken FROM items WHERE name = 'photo.jpg'")).toEqual({ taken: null });
    await house.write('photo.jpg', 'no photo any more');
    await read();
    expect(await everything()).toEqual({ values: [], terms: [], places: [], states: { 'photo.jpg': 'empty' } });
  });

  it('are read again after a rename only if another reader applies', async () => {
    house.start();
    await put('a.jpg', 'pictures/camera.jpg');
    await put('b.svg', 'pictures/described.jpg');
    await read();
    await house.rename('a.jpg', 'c.jpeg');
    await house.rename('b.svg', 'd.jpg');
    await read();
    expect(await house.fields('c.jpeg')).toMatchObject({ 'image.camera': 'Canon EOS R6' });
    expect(await house.fields('d.jpg')).toMatchObject({ 'image.title': 'The lake in summer' });
    await house.rename('c.jpeg', 'c.txt');
    await house.rename('d.jpg', 'd.txt');
    await read();
    expect(await everything()).toEqual({ values: [], terms: [], places: [], states: {} });
    expect(await house.database.all('SELECT name FROM items WHERE taken IS NOT NULL')).toEqual([]);
  });

  it('lose their metadata when they are forgotten', async () => {
    house.start();
    await mkdir(join(house.root, 'folder'));
    await put('folder/photo.jpg', 'pictures/camera.jpg');
    await house.look();
    await house.look(['folder']);
    await house.settled();
    expect(await house.places()).toHaveLength(1);
    await house.database.write((tx) => tx.run("DELETE FROM items WHERE name = 'folder'"));
    expect(await everything()).toEqual({ values: [], terms: [], places: [], states: {} });
  });
});

describe('photos', () => {
  it('are ordered by the time they were taken, or else by their last change', async () => {
    const at = async (name: string, date: string) => {
      await utimes(join(house.root, name), new Date(), new Date(date));
    };
    await put('spring.jpg', 'pictures/camera.jpg');
    await put('new year.jpg', 'pictures/telephone.jpg');
    await put('august.heic', 'pictures/telephone.heic');
    await put('september.dng', 'raw/preview.dng');
    await put('scan.png', 'pictures/palette.png');
    await at('spring.jpg', '2025-01-01');
    await at('new year.jpg', '2025-01-02');
    await at('august.heic', '2020-01-01');
    await at('september.dng', '2020-01-02');
    await at('scan.png', '2024-06-01');
    await house.look();
    expect(await house.photos()).toEqual(['new year.jpg', 'spring.jpg', 'scan.png', 'september.dng', 'august.heic']);
    house.start();
    await house.settled();
    expect(await house.photos()).toEqual(['september.dng', 'august.heic', 'scan.png', 'spring.jpg', 'new year.jpg']);
  });

  it('are queried by an index in that order', async () => {
    const plan = await house.database.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT id FROM items WHERE home_id = 'x' AND kind = 'image' AND kind IN ('image', 'raw', 'audio', 'video')
       AND coalesce(taken, mtime) <= 5 AND (coalesce(taken, mtime) < 5 OR id < 5) AND missing_since IS NULL ORDER BY coalesce(taken, mtime) DESC, id DESC LIMIT 5`,
    );
    const details = plan.map(({ detail }) => detail).join();
    expect(details).toMatch(/INDEX items_newest \(home_id=\? AND kind=\? AND <expr><\?\)/);
    expect(details).not.toMatch(/TEMP B-TREE/);
  });
});

describe('a file that a request waits for', () => {
  it('is read at once, and only once', async () => {
    for (let number = 0; number < 20; number += 1) await put(`${number}.jpg`, 'pictures/camera.jpg');
    await house.look();
    const index = house.start({ checkInterval: 600_000 });
    const id = await house.idOf('7.jpg');
    await Promise.all([index.readNow({ id }), index.readNow({ id }), index.readNow({ id })]);
    expect(await house.fields('7.jpg')).toMatchObject({ 'image.camera': 'Canon EOS R6' });
    expect(await index.placeOf(id)).toEqual({ latitude: 48.85837, longitude: 2.29448 });
    expect((await house.counts())?.waiting).toBe(19);
    await house.write('7.jpg', 'something else');
    await index.readNow({ id });
    // It does not wait: nobody has heard yet that it is something else.
    expect(await house.fields('7.jpg')).toMatchObject({ 'image.camera': 'Canon EOS R6' });
    expect(house.workers).toHaveLength(1);
  });

  itInFull('is skipped without an error if it is unreadable or missing', async () => {
    for (const [name, how] of Object.entries({ 'a.jpg': 'abort', 'b.jpg': 'lie', 'c.jpg': 'hang', 'd.jpg': 'fine' })) {
      await house.write(name, how);
    }
    await put('e.jpg', 'pictures/camera.jpg');
    await house.look();
    await rm(join(house.root, 'e.jpg'));
    const index = house.start({ checkInterval: 600_000, worker: ODD_WORKER, limits: { deadline: DEADLINE } });
    const deadlines = holdTimers((milliseconds) => milliseconds === DEADLINE);
    const readNow = async (name: string) => {
      const reading = index.readNow({ id: await house.idOf(name) });
      // The reader hangs: the deadline of its job is the only one.
      if (name === 'c.jpg') {
        await expect.poll(() => deadlines.count).toBe(1);
        deadlines.end();
      }
      await reading;
    };
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg']) await readNow(name);
    await index.readNow({ id: 1_000_000 });
    expect(await house.states()).toEqual({
      ...{ 'a.jpg': 'waiting 1', 'b.jpg': 'waiting 1', 'c.jpg': 'waiting 1', 'd.jpg': 'indexed', 'e.jpg': 'away' },
    });
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await readNow(name);
    expect(await house.counts()).toEqual({ waiting: 0, indexed: 1, failed: 3 });
  });

  it('is read after the next start if the server stops', async () => {
    await house.write('a.jpg', 'wait');
    await house.look();
    const index = house.start({ checkInterval: 600_000, worker: ODD_WORKER });
    const reading = index.readNow({ id: await house.idOf('a.jpg') });
    await expect.poll(() => house.states()).toEqual({ 'a.jpg': 'waiting 1' });
    await house.stop();
    await reading;
    expect(await house.states()).toEqual({ 'a.jpg': 'waiting' });
  });
});

describe('a file that crashes its reader', () => {
  it.each(isFullForm ? ['abort', 'hang', 'lie'] : ['abort', 'lie'])('by %s affects no other file', async (how) => {
    for (const name of ['b.jpg', 'c.jpg', 'd.jpg']) await house.write(name, name);
    await house.write('a.jpg', how);
    await house.look();
    house.start({ worker: ODD_WORKER, limits: { deadline: DEADLINE } });
    await house.settled();
    expect(await house.states()).toEqual({
      ...{ 'a.jpg': 'failed', 'b.jpg': 'indexed', 'c.jpg': 'indexed', 'd.jpg': 'indexed' },
    });
    await put('a.jpg', 'pictures/camera.jpg');
    await house.stop();
    house.start();
    await read();
    expect(await house.fields('a.jpg')).toMatchObject({ 'image.camera': 'Canon EOS R6' });
  });
});

describe('a missing file', () => {
  it('in an offline home remains unchanged, and is read when the home is back', async () => {
    await put('a.jpg', 'pictures/camera.jpg');
    await house.look();
    await house.rename('.larder-home', 'unplugged');
    house.start();
    await expect.poll(() => house.states()).toEqual({ 'a.jpg': 'waiting' });
    await house.rename('unplugged', '.larder-home');
    house.clock.advance(MINUTE);
    await expect.poll(() => house.fields('a.jpg')).toMatchObject({ 'image.camera': 'Canon EOS R6' });
  });

  it('is read when it is back, unless it was read before', async () => {
    await put('read.jpg', 'pictures/camera.jpg');
    await house.look();
    house.start();
    await house.settled();
    await put('unread.jpg', 'pictures/camera.jpg');
    await house.look();
    await rename(join(house.root, 'unread.jpg'), join(house.root, '..', 'unread.jpg'));
    await rename(join(house.root, 'read.jpg'), join(house.root, '..', 'read.jpg'));
    await house.look();
    await house.settled();
    await rename(join(house.root, '..', 'unread.jpg'), join(house.root, 'unread.jpg'));
    await rename(join(house.root, '..', 'read.jpg'), join(house.root, 'read.jpg'));
    await read();
    for (const name of ['read.jpg', 'unread.jpg']) {
      await expect.poll(() => house.fields(name)).toMatchObject({ 'image.camera': 'Canon EOS R6' });
    }
  });

  itInFull('in the trash keeps its metadata, and is read after a restore', async () => {
    await put('read.jpg', 'pictures/camera.jpg');
    await house.look();
    house.start();
    await house.settled();
    await house.stop();
    await put('unread.jpg', 'pictures/camera.jpg');
    await house.look();
    const into = (root: string) =>
      house.database.write((tx) =>
        tx.run(
          `UPDATE items SET parent_id = (SELECT id FROM items WHERE parent_id IS NULL AND name = ?) WHERE is_dir = 0`,
          [root],
        ),
      );
    await into('trash');
    house.start();
    await house.settled();
    expect(await house.states()).toEqual({ 'read.jpg': 'indexed', 'unread.jpg': 'away' });
    expect(await house.photos()).toEqual([]);
    await into('');
    const [actor, homeId, path] = [LARDER, '', ''];
    house.events.emit('item.restored', { actor, homeId, path, itemId: 1, isFolder: false, from: '' });
    await expect.poll(() => house.fields('unread.jpg')).toMatchObject({ 'image.camera': 'Canon EOS R6' });
  });
});

it('keeps tags when a file is read again', async () => {
  house.start();
  await put('a.jpg', 'pictures/camera.jpg');
  await read();
  await house.database.write(async (tx) => {
    await tx.run(
      `INSERT INTO metadata_terms (field_id, fold, value) SELECT id, 'mine', 'mine' FROM metadata_fields WHERE system = 'tag'`,
    );
    await tx.run(`INSERT INTO metadata_values (item_id, field_id, position, term_id, home_id)
      SELECT i.id, t.field_id, 0, t.id, i.home_id FROM items i JOIN metadata_terms t ON t.value = 'mine' WHERE i.name = 'a.jpg'`);
  });
  await writeFile(join(house.root, 'a.jpg'), await fixture('pictures/windows.jpg'));
  await read();
  expect(await house.fields('a.jpg')).toMatchObject({ tag: 'mine', 'image.title': 'Großmutter' });
  await house.rename('a.jpg', 'a.txt');
  await read();
  expect(await house.fields('a.txt')).toEqual({ tag: 'mine' });
});
