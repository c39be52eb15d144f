import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ignoreFailure } from '../lib/async/ignore-failure.ts';
import { type Database, type DatabaseHandle, openDatabase } from './database.ts';
import type { Touches } from './write-queue.ts';

/** Followed by the id of the process and a random part. */
const COPIES = 'larder-read-only-';

/**
 * Opens a database on a read-only disk: a copy of it and its log in the system's temporary folder, because SQLite writes beside a
 * database even to read it. Migrations run on the copy; once it is sealed, writes are refused as by SQLite. The copy is removed
 * at the end; that of a process that was killed, by the next one.
 */
export async function openReadOnlyCopy(file: string): Promise<{ database: Database; seal: () => void }> {
  let isReadOnly = false;
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${COPIES}${process.pid}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'larder.sqlite');
    await copyFile(file, copy);
    await copyFile(`${file}-wal`, `${copy}-wal`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const opened = await openDatabase(copy, folder);
    const sealed = <Scope extends Touches>(handle: DatabaseHandle<Scope>): DatabaseHandle<Scope> => ({
      ...handle,
      write: (work) => (isReadOnly ? refuse() : handle.write(work)),
      writeOne: (statement) => (isReadOnly ? refuse() : handle.writeOne(statement)),
      async close() {
        await opened.close();
        await remove();
      },
    });
    const database: Database = {
      ...sealed(opened),
      loadModels: opened.loadModels,
      files: sealed(opened.files),
      photos: sealed(opened.photos),
      activity: sealed(opened.activity),
    };
    return {
      database,
      seal: () => {
        isReadOnly = true;
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${COPIES}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    // It may belong to another user of the machine.
    await ignoreFailure(
      rm(join(tmpdir(), name), { recursive: true, force: true }),
      'failed to remove a copy of the database',
    );
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function refuse(): Promise<never> {
  throw Object.assign(new Error('attempt to write a readonly database'), { code: 'SQLITE_READONLY' });
}
