import { once } from '../lib/async/once.ts';
import { DatabaseLost } from '../lib/errors/database-lost.ts';
import type { Unchanged } from '../lib/unchanged.ts';
import { Connection, type SqlParams } from './connection.ts';
import { hasMigrations, migrate } from './migrate.ts';
import { closeToOthers, makePrivate } from './private-file.ts';
import { allocateIndex } from './shared-memory.ts';
import { type Subject, type Touches, type Transaction, unitGuard, WriteQueue } from './write-queue.ts';

export type { SqlValue } from './connection.ts';
export type { Transaction } from './write-queue.ts';

/** Reading, whatever is read. */
export interface DatabaseReader {
  all<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
  get<Row>(sql: string, params?: SqlParams): Promise<Row | undefined>;
  /** Like `all`, through a connection of its own: for statements that may take long, and that no quick one shall wait for. */
  allAside<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
  /** What SQLite finds wrong with the file, or null. */
  damage(): Promise<string | null>;
  /**
   * Writes all of it, as it is at one moment, into a new file, which is not flushed. Others read and write meanwhile.
   * @throws the reason of the signal, or an error of SQLite, such as `SQLITE_FULL`; an incomplete file may be left then
   */
  copyInto(target: string, signal: AbortSignal): Promise<void>;
  /**
   * Whether no commit has touched the subject since, and none was about to: caches that ask it can never be stale.
   */
  unchangedSince(subject: Subject): Unchanged;
  close(): Promise<void>;
}

/**
 * A handle that writes within a scope. Handles of different scopes are different types: one that leaves what is cached of accounts
 * and tokens as it is cannot be passed where accounts are written.
 */
export interface DatabaseHandle<Scope extends Touches> extends DatabaseReader {
  /** The only way to write. Resolves when the commit is on the disk. */
  write<T>(work: (tx: Transaction<Scope>) => Promise<T>): Promise<T>;
  /**
   * One statement, by itself or together with whatever else waits; the rows it returns.
   * @param statement asked at the moment when it is run: what has come up to then can still go with it. It may be asked
   * twice, and says the same then.
   */
  writeOne<Row>(statement: () => { sql: string; params: SqlParams }): Promise<Row[]>;
}

/** For accounts, tokens, sessions and everything else: each write ends what is cached of them. */
export interface Database extends DatabaseHandle<'everything'> {
  /** Loads what models are made with, before a transaction that uses one. */
  loadModels(): Promise<void>;
  /** For rows of files and folders only: what is cached of accounts and tokens stays. */
  readonly files: FilesDatabase;
  /** For rows that nothing caches. */
  readonly activity: ActivityDatabase;
}

export type FilesDatabase = DatabaseHandle<'files'>;
export type ActivityDatabase = DatabaseHandle<'activity'>;
/** Of accounts, tokens, sessions and what belongs to them. */
export type AccountsTransaction = Transaction<'everything'>;

export interface OpenOptions {
  /** Whether there was a database before, asked of a file that has none of Larder's in it. */
  readonly isExpected?: () => Promise<boolean>;
  /** Makes room on a full disk. @returns whether there is some now */
  readonly release?: () => Promise<boolean>;
}

/**
 * Opens the database and brings its schema up to date. Two connections: a reader that SQLite itself keeps from
 * writing (`query_only`), and one writer behind a queue, both shared with Sequelize, whose own way, a new connection
 * for every transaction, is eight times slower and loses its pragmas.
 * @throws DatabaseLost then, which leaves the file as it is; an Error when it is damaged, or was made by a newer Larder
 */
export async function openDatabase(
  file: string,
  backups: string,
  { isExpected = async () => false, release = async () => false }: OpenOptions = {},
): Promise<Database> {
  await closeToOthers(file);
  const writer = await Connection.open(file);
  const opened = [writer];
  let index: Awaited<ReturnType<typeof allocateIndex>> = null;
  try {
    await writer.exec('PRAGMA busy_timeout=5000');
    if (!(await hasMigrations(writer)) && (await isExpected()))
      throw new DatabaseLost(file, 'has nothing of Larder in it, as one that was copied without its larder.sqlite-wal');
    await writer.exec(
      'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA journal_size_limit=67108864;',
    );
    index = await withRoom(release, async () => {
      await writer.exec('BEGIN IMMEDIATE');
      try {
        return await allocateIndex(file);
      } finally {
        await writer.exec('ROLLBACK');
      }
    });
    const reader = await openReader(file);
    opened.unshift(reader);
    const queue = new WriteQueue(writer, async (error) => isFull(error) && (await release()));
    const aside = once(() => openReader(file));
    let isAsideOpen = false;
    await migrate(queue, reader, { file, backups });
    const reading: DatabaseReader = {
      all: async (sql, params) => {
        unitGuard.check();
        return reader.all(sql, params);
      },
      get: async <Row>(sql: string, params?: SqlParams) => {
        unitGuard.check();
        return (await reader.all<Row>(sql, params))[0];
      },
      async allAside(sql, params) {
        unitGuard.check();
        isAsideOpen = true;
        return (await aside()).all(sql, params);
      },
      damage: () => damageOf(file),
      copyInto: (target, signal) => copyInto(file, target, signal),
      unchangedSince(subject) {
        const generation = queue.generation(subject);
        return () => queue.generation(subject) === generation;
      },
      async close() {
        await queue.close();
        await reader.close();
        if (isAsideOpen) await (await aside()).close();
        await writer.exec('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined);
        await writer.close();
        await index?.close();
      },
    };
    const handle = <Scope extends Touches>(scope: Scope): DatabaseHandle<Scope> => ({
      ...reading,
      write: (work) => queue.write(work, scope),
      writeOne: (statement) => queue.writeOne(statement, scope),
    });
    return {
      ...handle('everything'),
      loadModels: () => queue.models.load(),
      files: handle('files'),
      activity: handle('activity'),
    };
  } catch (error) {
    for (const connection of opened) await connection.close().catch(() => undefined);
    await index?.close().catch(() => undefined);
    throw error;
  }
}

/** What a full disk is called: by SQLite also an error of the file that it could not make longer. */
function isFull(error: unknown): boolean {
  return ['SQLITE_FULL', 'SQLITE_IOERR', 'ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function withRoom<T>(release: () => Promise<boolean>, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isFull(error) || !(await release())) throw error;
    }
  }
}

async function openReader(file: string): Promise<Connection> {
  const reader = await Connection.open(file);
  await reader.exec('PRAGMA busy_timeout=5000; PRAGMA foreign_keys=ON; PRAGMA query_only=ON;');
  return reader;
}

/** Through a connection that has read nothing yet: what one remembers of a full-text index may be older than the index. */
async function damageOf(file: string): Promise<string | null> {
  const reader = await openReader(file);
  try {
    const [check] = await reader.all<{ quick_check: string }>('PRAGMA quick_check(1)');
    return check?.quick_check === 'ok' ? null : (check?.quick_check.replaceAll(/\s+/g, ' ') ?? 'it says nothing');
  } finally {
    await reader.close();
  }
}

/** Through a connection of its own: its snapshot keeps nobody from writing, and it can be interrupted. */
async function copyInto(file: string, target: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const reader = await openReader(file);
  const interrupt = () => reader.handle.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    await reader.exec('PRAGMA query_only=OFF');
    await makePrivate(target);
    await reader.run('VACUUM INTO ?', [target]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    await reader.close();
  }
}
