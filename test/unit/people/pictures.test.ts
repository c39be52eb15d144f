import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AccountPictures, createAccountPictures } from '../../../dist/server/accounts/pictures.js';
import type { Database } from '../../../dist/server/database/database.js';
import { Semaphore } from '../../../dist/server/lib/concurrency/semaphore.js';
import { openMigrated } from '../../support/households/household-template.ts';

describe('the pictures of accounts', () => {
  let folder: string;
  let database: Database;
  let pictures: AccountPictures;
  let now = 1_000;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'larder-pictures-'));
    database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
    await database.write(async (tx) => {
      for (const name of ['ann', 'ben']) {
        await tx.run(
          "INSERT INTO accounts (type, username, username_fold, name, registered_at) VALUES ('user', ?, ?, ?, 0)",
          [name, name, name],
        );
      }
    });
    // The result is part of a larger buffer, as data read from a channel may be.
    const decode = async (image: Uint8Array) => Buffer.concat([Buffer.from('made of '), image]).subarray(5);
    pictures = createAccountPictures({ database, clock: { now: () => now }, decode });
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are stored, replaced and removed one by one', async () => {
    expect(await pictures.read(1)).toBeNull();
    await pictures.set(1, Buffer.from('x'));
    now = 2_000;
    await pictures.set(2, Buffer.from('y'));
    const set = await pictures.set(1, Buffer.from('z'));
    const content = Buffer.from('of z');
    const hash = createHash('sha256').update(content).digest('hex');
    expect(set).toEqual({ content, hash, changedAt: 2_000 });
    expect(await pictures.read(1)).toEqual(set);
    expect((await pictures.read(2))?.content.toString()).toBe('of y');
    await pictures.remove(1);
    await pictures.remove(1);
    expect([await pictures.read(1), (await pictures.read(2)) === null]).toEqual([null, false]);
  });

  it('are deleted with their account, and cannot be set for a deleted one', async () => {
    await pictures.set(1, Buffer.from('x'));
    await pictures.set(2, Buffer.from('y'));
    await database.write((tx) => tx.run('DELETE FROM accounts WHERE id = 1'));
    const rows = await database.all<{ account_id: number }>('SELECT account_id FROM account_pictures');
    expect(rows).toEqual([{ account_id: 2 }]);
    await expect(pictures.set(1, Buffer.from('x'))).rejects.toThrow(/FOREIGN KEY/);
  });

  it('stay unchanged if the new one cannot be read', async () => {
    await pictures.set(1, Buffer.from('x'));
    const failing = createAccountPictures({
      database,
      clock: { now: () => now },
      decode: async () => {
        throw new Error('damaged');
      },
    });
    await expect(failing.set(1, Buffer.from('y'))).rejects.toThrow('damaged');
    expect((await pictures.read(1))?.content.toString()).toBe('of x');
  });
});

describe('turns', () => {
  it('are given to a limited number at once, and to the others in order', async () => {
    const turns = new Semaphore(2);
    const given: string[] = [];
    const take = async (name: string) => {
      const end = await turns.take();
      given.push(name);
      return end;
    };
    const [endA, endB] = await Promise.all([take('a'), take('b')]);
    const [c, d] = [take('c'), take('d')];
    await Promise.resolve();
    expect(given).toEqual(['a', 'b']);
    endB();
    endB();
    const endC = await c;
    expect(given).toEqual(['a', 'b', 'c']);
    endA();
    (await d)();
    endC();
    await Promise.all([take('e'), take('f')]);
    expect(given).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});
