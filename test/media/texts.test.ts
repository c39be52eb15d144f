import { mkdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../dist/server/lib/clock.js';
import { LARDER } from '../../dist/server/lib/events.js';
import { documents } from '../support/content/documents.ts';
import { isFullForm } from '../support/forms.ts';
import { openTextHousehold, type TextHousehold } from '../support/households/text-household.ts';
import { isAlive } from '../workers/support.ts';

const ODD_WORKER = fileURLToPath(new URL('../workers/odd-text-worker.mjs', import.meta.url));
/** Milliseconds: also on a slow computer, a process starts and reads a few words within them. */
const DEADLINE = 8_000;

let house: TextHousehold;
beforeEach(async () => {
  house = await openTextHousehold();
});
afterEach(async () => {
  await house.close();
  expect(house.workers.filter(isAlive), 'processes that are left').toEqual([]);
});

describe('documents', () => {
  it('of every type are found by their words soon after they are seen', async () => {
    house.start();
    for (const [kind, content] of Object.entries(documents)) await house.write(`a.${kind}`, content);
    await house.write('photo.jpg', 'Rechnung');
    await house.write('empty.txt', '');
    await house.write('old.wps', 'Rechnung');
    await house.look();
    await house.settled();
    expect((await house.search('rechnung')).sort()).toEqual(
      Object.keys(documents)
        .map((kind) => `a.${kind}`)
        .sort(),
    );
    expect(await house.states()).toMatchObject({ 'empty.txt': 'empty', 'old.wps': 'empty', 'a.pdf': 'indexed' });
    expect(await house.states()).not.toHaveProperty('photo.jpg');
    expect(await house.counts()).toEqual({ waiting: 0, indexed: Object.keys(documents).length, failed: 0 });
    expect(house.workers.length).toBeLessThanOrEqual(2);
  });

  it('that change are indexed again, and not found by old words', async () => {
    house.start();
    await house.write('a.txt', 'first');
    await house.look();
    await house.settled();
    expect(await house.search('first')).toEqual(['a.txt']);
    await house.write('a.txt', 'second content');
    await house.look();
    await house.settled();
    expect(await house.search('first')).toEqual([]);
    expect(await house.search('second')).toEqual(['a.txt']);
    await house.write('a.txt', '');
    await house.look();
    await house.settled();
    expect(await house.search('second')).toEqual([]);
    expect(await house.states()).toEqual({ 'a.txt': 'empty' });
  });

  it('are not read again after a rename, unless another reader applies', async () => {
    house.start();
    await house.write('a.txt', 'words');
    await house.write('b.wps', documents.docx ?? '');
    await house.look();
    await house.settled();
    await house.rename('a.txt', 'c.txt');
    await house.rename('b.wps', 'b.docx');
    await house.look();
    await house.settled();
    expect(await house.search('words')).toEqual(['c.txt']);
    expect(await house.search('rechnung')).toEqual(['b.docx']);
    await house.rename('c.txt', 'c.jpg');
    await house.look();
    await expect.poll(() => house.search('words')).toEqual([]);
    expect(await house.states()).toEqual({ 'b.docx': 'indexed' });
  });

  it('are read newest first', async () => {
    const order: string[] = [];
    for (const [age, name] of ['c.txt', 'a.txt', 'b.txt'].entries()) {
      await house.write(name, name);
      await utimes(join(house.root, name), new Date(), new Date(Date.now() - age * 3_600_000));
    }
    await house.look();
    const rows = await house.database.all<{ name: string }>(
      "SELECT i.name FROM text_states s JOIN items i ON i.id = s.item_id WHERE state = 'waiting' ORDER BY s.tries, s.mtime DESC",
    );
    order.push(...rows.map(({ name }) => name));
    expect(order).toEqual(['c.txt', 'a.txt', 'b.txt']);
    const plan = await house.database.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT item_id FROM text_states WHERE state = 'waiting' AND home_id = 'x' ORDER BY tries, mtime DESC LIMIT 1`,
    );
    expect(plan.map(({ detail }) => detail).join()).toMatch(/text_states_waiting/);
    expect(plan.map(({ detail }) => detail).join()).not.toMatch(/TEMP B-TREE/);
  });
});

describe('a missing document', () => {
  it('is not found while it is missing, and found afterwards without reading it again', async () => {
    house.start();
    await house.write('a.txt', 'words');
    await house.look();
    await house.settled();
    await house.rename('a.txt', '../../a.txt');
    await house.look();
    expect(await house.search('words')).toEqual([]);
    await house.stop();
    await house.rename('../../a.txt', 'b.txt');
    await house.look();
    expect(await house.search('words')).toEqual(['b.txt']);
  });

  it('loses its words when it is forgotten, with everything below it', async () => {
    house.start();
    await mkdir(join(house.root, 'folder'));
    await house.write('folder/a.txt', 'words');
    await house.look();
    await house.look(['folder']);
    await house.settled();
    expect(await house.search('words')).toEqual(['a.txt']);
    const [texts] = await house.database.all<{ count: number }>('SELECT count(*) AS count FROM texts');
    await house.database.write((tx) => tx.run("DELETE FROM items WHERE name = 'folder'"));
    expect(texts?.count).toBe(1);
    expect(await house.database.all('SELECT rowid FROM texts')).toEqual([]);
    expect(await house.states()).toEqual({});
  });

  it('or changed one waits without counting a try, and is read when it is back', async () => {
    await house.write('gone.txt', 'gone words');
    await house.write('changed.txt', 'old words');
    await house.look();
    await house.rename('gone.txt', '../../gone.txt');
    await house.write('changed.txt', 'changed words');
    house.start();
    await house.settled();
    expect(await house.states()).toEqual({ 'changed.txt': 'away', 'gone.txt': 'away' });
    await house.rename('../../gone.txt', 'gone.txt');
    await house.look();
    // The catalogue never missed it: it is looked for again after a while.
    house.clock.advance(DAY + MINUTE);
    await expect.poll(() => house.search('words')).toHaveLength(2);
    expect(await house.search('old')).toEqual([]);
  });

  it('in an offline home remains unchanged, and is read when the home is back', async () => {
    await house.write('a.txt', 'words');
    await house.look();
    await house.rename('.larder-home', 'unplugged');
    const other = await house.addHome('other');
    house.start();
    await expect.poll(() => house.states()).toEqual({ 'a.txt': 'waiting' });
    await house.rename('unplugged', '.larder-home');
    house.clock.advance(MINUTE);
    await expect.poll(() => house.search('words')).toEqual(['a.txt']);
    expect(other).not.toBe(house.root);
  });

  it('in the trash keeps its words, but is not read there', async () => {
    await house.write('read.txt', 'words');
    await house.look();
    house.start();
    await house.settled();
    await house.write('unread.txt', 'more words');
    await house.stop();
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
    expect(await house.states()).toEqual({ 'read.txt': 'indexed', 'unread.txt': 'away' });
    await into('');
    house.clock.advance(MINUTE);
    const [actor, homeId, path] = [LARDER, '', ''];
    house.events.emit('item.restored', { actor, homeId, path, itemId: 1, isFolder: false, from: '' });
    await expect.poll(() => house.search('more')).toEqual(['unread.txt']);
  });
});

describe('a document that crashes its reader', () => {
  it.each(isFullForm ? ['abort', 'hang', 'bloat', 'lie'] : ['abort', 'bloat', 'lie'])(
    'by %s is tried twice, the second time alone, and then skipped until it changes',
    async (how) => {
      for (const name of ['b.txt', 'c.txt', 'd.txt']) await house.write(name, name[0] ?? '');
      await house.write('a.txt', how);
      await house.look();
      house.start({ worker: ODD_WORKER, limits: { deadline: DEADLINE, residentBytes: 300 * 1024 * 1024 } });
      await house.settled();
      expect(await house.states()).toEqual({
        'a.txt': 'failed',
        'b.txt': 'indexed',
        'c.txt': 'indexed',
        'd.txt': 'indexed',
      });
      expect(await house.counts()).toEqual({ waiting: 0, indexed: 3, failed: 1 });
      // One for all of them together, and at most two more until it was tried alone.
      expect(house.workers.length).toBeLessThanOrEqual(3);
      await house.stop();
      house.start({ worker: ODD_WORKER });
      await house.write('b.txt', 'more');
      await house.look();
      await house.settled();
      expect((await house.states())['a.txt']).toBe('failed');
      await house.write('a.txt', 'harmless now');
      await house.look();
      await house.settled();
      expect(await house.search('harmless')).toEqual(['a.txt']);
    },
  );

  it('does not affect documents that are read together with it, in any number', async () => {
    for (let file = 0; file < 150; file += 1) await house.write(`${file}.txt`, `word${file} common`);
    await house.write('a.txt', 'abort');
    await house.look();
    house.start({ worker: ODD_WORKER });
    await house.settled();
    expect(await house.counts()).toEqual({ waiting: 0, indexed: 150, failed: 1 });
    expect(await house.search('word149')).toEqual(['149.txt']);
    // The others were not read one by one with a worker each.
    expect(house.workers.length).toBeLessThan(8);
  });

  it('is counted before each try, so that the count survives a crash of the server', async () => {
    await house.write('a.txt', 'wait');
    await house.look();
    house.start({ worker: ODD_WORKER });
    await expect.poll(() => house.states()).toEqual({ 'a.txt': 'waiting 1' });
  });

  it('is not one that only has the wrong type', async () => {
    await house.write('a.docx', 'PK\x03\x04 and nothing more');
    await house.write('b.pdf', 'no pdf');
    await house.look();
    house.start();
    await house.settled();
    expect(await house.states()).toEqual({ 'a.docx': 'failed', 'b.pdf': 'empty' });
    expect(house.workers.length).toBeLessThanOrEqual(2);
  });
});

describe('a server that stops', () => {
  it('stops reading at once without counting a try, and continues after the next start', async () => {
    await house.write('a.txt', 'wait');
    for (const name of ['b.txt', 'c.txt']) await house.write(name, 'words');
    await house.look();
    house.start({ worker: ODD_WORKER });
    await expect.poll(() => house.workers.length).toBe(1);
    await expect.poll(async () => Object.values(await house.states()).some((state) => state.endsWith('1'))).toBe(true);
    await house.stop();
    expect(Object.values(await house.states()).filter((state) => state.endsWith('1'))).toEqual([]);
    await rm(join(house.root, 'a.txt'));
    await house.look();
    house.start();
    await house.settled();
    expect((await house.search('words')).sort()).toEqual(['b.txt', 'c.txt']);
  });
});
