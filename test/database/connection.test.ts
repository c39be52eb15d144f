import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';

const COUNT =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) AS count FROM n';

describe('closing a connection', () => {
  let folder: string;
  const file = () => join(folder, 'larder.sqlite');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'larder-connection-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('completes after a statement could not be prepared', async () => {
    const connection = await Connection.open(file());
    await expect(connection.all('SELECT wrong')).rejects.toThrow(/no such column/);
    const failing = connection.all('SELECT also_wrong');
    await Promise.all([connection.close(), expect(failing).rejects.toThrow(/no such column/)]);
  });

  it('completes earlier calls', async () => {
    const connection = await Connection.open(file());
    await connection.exec('CREATE TABLE numbers (number INTEGER)');
    const calls = Array.from({ length: 50 }, (_, number) =>
      connection.run(`INSERT INTO numbers VALUES (?) -- ${number}`, [number]),
    );
    const rows = connection.all<{ sum: number }>('SELECT sum(number) sum FROM numbers');
    await connection.close();
    await Promise.all(calls);
    expect((await rows)[0]).toHaveProperty('sum');
    const reopened = await Connection.open(file());
    expect(await reopened.all('SELECT sum(number) sum FROM numbers')).toEqual([{ sum: 1225 }]);
    await reopened.close();
  });

  it('is not delayed by calls made while it waits for earlier ones', async () => {
    const connection = await Connection.open(file());
    // Prepared, so that only its rows are waited for.
    await connection.all(COUNT, [1]);
    const earlier = connection.all(COUNT, [300_000]);
    const closing = connection.close();
    const later = [connection.all('SELECT 1'), connection.run('PRAGMA user_version=1'), connection.exec('SELECT 1')];
    const outcomes = await Promise.allSettled(later);
    await closing;
    expect((await earlier)[0]).toEqual({ count: 300_000 });
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_MISUSE' } });
  });
});
