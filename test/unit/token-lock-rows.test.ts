import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ItemTarget } from '../../dist/server/access/access.js';
import type { AccountCaller } from '../../dist/server/access/caller.js';
import type { Database, FilesDatabase } from '../../dist/server/database/database.js';
import type { FilesContext } from '../../dist/server/files/context.js';
import { refreshTokenLock, removeTokenLock } from '../../dist/server/files/locks/token-locks.js';
import { MINUTE, systemClock } from '../../dist/server/lib/clock.js';
import { PathLocks } from '../../dist/server/lib/concurrency/path-locks.js';
import { openMigrated } from '../support/households/household-template.ts';

// SQLite gives the id of a lock that has ended to the next one. What has read a lock must not change another in its place.

let folder = '';
let database: Database;
let context: FilesContext;
/** Runs once before the next write of the code under test, when it has read the locks. */
let beforeWrite: (() => Promise<void>) | null = null;

const OWN = 'urn:uuid:11111111-1111-4111-8111-111111111111';
const OTHER = 'urn:uuid:22222222-2222-4222-8222-222222222222';
const caller = { account: { id: 1 }, lockTokens: new Set([OWN]) } as unknown as AccountCaller;
const target = { home: { id: 'home' }, segments: ['a.txt'], top: 0, share: null } as unknown as ItemTarget;

const addLock = (account: number, token: string) =>
  database.write((tx) =>
    tx.run(
      `INSERT INTO locks (item_id, account_id, locked_at, token, expires_at)
       VALUES ((SELECT id FROM items WHERE name = 'a.txt'), ?, 0, ?, ?)`,
      [account, token, systemClock.now() + MINUTE],
    ),
  );
const locks = () => database.all<{ id: number; token: string; expires_at: number }>('SELECT * FROM locks ORDER BY id');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-locks-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  await database.write(async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
    for (const name of ['ann', 'ben'])
      await tx.run(
        `INSERT INTO accounts (type, username, username_fold, name, password_hash, registered_at)
         VALUES ('user', ?1, ?1, ?1, '', 0)`,
        [name],
      );
    const item = (parent: number | null, name: string, isDir: number) =>
      tx.run(
        `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, kind, is_dir, size, mtime, identity, tag)
         VALUES (?1, 'home', ?2, ?1, ?1, 'other', ?3, 0, 0, ?1, ?1)`,
        [name, parent, isDir],
      );
    const { lastId } = await item(null, '', 1);
    await item(lastId, 'a.txt', 0);
  });
  const watched: FilesDatabase = Object.assign(Object.create(database.files) as FilesDatabase, {
    async write(work: never): Promise<unknown> {
      const first = beforeWrite;
      beforeWrite = null;
      await first?.();
      return database.files.write(work);
    },
  });
  context = { database: watched, clock: systemClock, pathLocks: new PathLocks() } as unknown as FilesContext;
  await addLock(1, OWN);
});
afterEach(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Another request ends the lock, and another client locks the file. */
async function replaceLock(): Promise<void> {
  const [before] = await locks();
  await database.write((tx) => tx.run('DELETE FROM locks'));
  await addLock(2, OTHER);
  const [after] = await locks();
  expect([after?.id, after?.token]).toEqual([before?.id, OTHER]);
}

it.each([
  ['refreshed', () => refreshTokenLock(context, caller, target, 30 * MINUTE), 'precondition_failed'],
  ['ended', () => removeTokenLock(context, caller, target, OWN), 'conflict'],
] as const)('the lock of another client in the same row is not %s', async (_name, work, code) => {
  beforeWrite = replaceLock;
  await expect(work()).rejects.toMatchObject({ code });
  const [left, ...others] = await locks();
  expect([left?.token, others]).toEqual([OTHER, []]);
  expect(left?.expires_at).toBeLessThan(systemClock.now() + 2 * MINUTE);
});

it('the own lock is refreshed', async () => {
  await refreshTokenLock(context, caller, target, 30 * MINUTE);
  expect((await locks())[0]?.expires_at).toBeGreaterThan(systemClock.now() + 20 * MINUTE);
});
