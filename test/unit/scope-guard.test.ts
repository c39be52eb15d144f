import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../dist/server/database/database.js';
import { PathLocks } from '../../dist/server/lib/concurrency/path-locks.js';
import { enableScopeGuards } from '../../dist/server/lib/concurrency/scope-guard.js';
import { openMigrated } from '../support/households/household-template.ts';

const later = () => new Promise((resolve) => setImmediate(resolve));
let folder: string;
let database: Database;

beforeAll(async () => {
  enableScopeGuards();
  folder = await mkdtemp(join(tmpdir(), 'larder-guard-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

describe('path locks', () => {
  it('cannot be nested, through any number of functions', async () => {
    const locks = new PathLocks();
    const inner = async () => {
      await later();
      return locks.run(['b'], later);
    };
    await expect(locks.run(['a'], inner)).rejects.toThrow('path locks do not nest');
    // Neither is held afterwards, and sequential locks are allowed.
    await locks.run(['a', 'b'], later);
    await locks.run(['b'], later);
  });

  it('can be taken side by side', async () => {
    const locks = new PathLocks();
    await Promise.all(['a', 'b', 'a'].map((path) => locks.run([path], later)));
  });
});

describe('a unit of work', () => {
  const rule = 'through its transaction only';

  it('cannot read outside of its transaction', async () => {
    for (const read of [
      () => database.all('SELECT 1'),
      () => database.get('SELECT 1'),
      () => database.files.get('SELECT 1'),
      () => database.allAside('SELECT 1'),
    ]) {
      const unit = database.write(async (tx) => {
        await tx.get('SELECT 1');
        return read();
      });
      await expect(unit).rejects.toThrow(rule);
    }
    expect(await database.get('SELECT 1 AS one')).toEqual({ one: 1 });
  });

  it('cannot begin another one, which would wait for it', async () => {
    const nested = database.write(() => database.files.write(async (tx) => tx.get('SELECT 1')));
    await expect(nested).rejects.toThrow(rule);
  });

  it('can be followed by reads, also from its hooks', async () => {
    const read = new Promise((resolve) => {
      void database.write(async (tx) => tx.afterCommit(() => resolve(database.get('SELECT 2 AS two'))));
    });
    expect(await read).toEqual({ two: 2 });
  });
});
