import { ignoreFailure } from '../lib/async/ignore-failure.ts';
import { once } from '../lib/async/once.ts';
import { DatabaseLost } from '../lib/errors/database-lost.ts';
import type { Unchanged } from '../lib/unchanged.ts';
import { t } from '../messages/messages.ts';
import { Connection, type SqlParams } from './connection.ts';
import { hasMigrations, migrate } from './migrate.ts';
import { closeToOthers, identityOfFile, makePrivate } from './private-file.ts';
import { allocateIndex } from './shared-memory.ts';
import { type Subject, type Touches, type Transaction, unitGuard, WriteQueue } from './write-queue.ts';

export type { SqlValue } from './connection.ts';
export type { Transaction } from './write-queue.ts';

/** What has happened to the rows in one folder since a moment. */
export interface ChildrenSince {
  readonly isUnchanged: Unchanged;
  /** The names, before and after, of those that may have changed; null if any may. */
  changedNames(): readonly string[] | null;
}

/** Read access. */
export interface DatabaseReader {
  all<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
  get<Row>(sql: string, params?: SqlParams): Promise<Row | undefined>;
  /** Like `all`, on a separate connection: for slow statements that must not delay quick ones. */
  allAside<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
  /** What SQLite finds wrong with the file, or null. */
  damage(): Promise<string | null>;
  /**
   * Writes a consistent snapshot into a new file, without flushing it. Reads and writes continue meanwhile.
   * @throws the reason of the signal, or an error of SQLite, such as `SQLITE_FULL`; an incomplete file may be left then
   */
  copyInto(target: string, signal: AbortSignal): Promise<void>;
  /**
   * Returns a check: whether no commit has affected the subject since this call, and none was in progress. Caches that use it are
   * never stale.
   */
  unchangedSince(subject: Subject): Unchanged;
  /**
   * The same for the rows of the items in one folder.
   * @returns what says so of a folder, by the id of its own row
   */
  childrenSince(): (folderId: number) => ChildrenSince;
  close(): Promise<void>;
}

/**
 * A handle that writes within a scope. Handles of different scopes are different types: one that does not invalidate cached accounts
 * and tokens cannot be passed where accounts are written.
 */
export interface DatabaseHandle<Scope extends Touches> extends DatabaseReader {
  /** The only way to write. Resolves when the commit is flushed to the disk. */
  write<T>(work: (tx: Transaction<Scope>) => Promise<T>): Promise<T>;
  /**
   * Runs one statement, alone or in a commit shared with other units, and returns its rows.
   * @param statement called when the statement runs, so it can include what has arrived until then. It may be called twice and must
   * return the same both times
   */
  writeOne<Row>(statement: () => { sql: string; params: SqlParams }): Promise<Row[]>;
}

/** For accounts, tokens, sessions and everything else: each write invalidates cached reads of them. */
export interface Database extends DatabaseHandle<'everything'> {
  /** Loads the model library before a transaction that uses a model. */
  loadModels(): Promise<void>;
  /** For rows of files and folders only: what is cached of accounts and tokens stays. */
  readonly files: FilesDatabase;
  /** For what was read from files: what is cached of files, accounts and tokens stays, but not what is cached of photos. */
  readonly photos: PhotosDatabase;
  /** For rows that nothing caches. */
  readonly activity: ActivityDatabase;
}

export type FilesDatabase = DatabaseHandle<'files'>;
type PhotosDatabase = DatabaseHandle<'photos'>;
export type ActivityDatabase = DatabaseHandle<'activity'>;
/** Of accounts, tokens, sessions and what belongs to them. */
export type AccountsTransaction = Transaction<'everything'>;

interface OpenOptions {
  /** Whether a database is expected here; called when the file has no tables of Larder. */
  readonly isExpected?: () => Promise<boolean>;
  /** Frees space on a full disk. @returns whether there is some now */
  readonly release?: () => Promise<boolean>;
}

/**
 * Opens the database and brings its schema up to date. Two connections: a reader that SQLite itself keeps from
 * writing (`query_only`), and one writer behind a queue. Sequelize runs on the writer's connection: by default it opens a
 * connection for each transaction, which is eight times slower and loses the pragmas.
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
      throw new DatabaseLost(t('api.storage.databaseForeign', { file }));
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
    const identity = await identityOfFile(file);
    await withRoom(release, () => queue.noteFolders(identity));
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
      childrenSince() {
        const { folderChanges } = queue;
        const { number } = folderChanges;
        return (folderId) => ({
          isUnchanged: () => folderChanges.lastIn(folderId) <= number,
          changedNames: () => folderChanges.namesSince(folderId, number),
        });
      },
      async close() {
        await queue.close();
        await reader.close();
        if (isAsideOpen) await (await aside()).close();
        await ignoreFailure(writer.exec('PRAGMA wal_checkpoint(TRUNCATE)'), 'failed to empty the write-ahead log');
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
      photos: handle('photos'),
      activity: handle('activity'),
    };
  } catch (error) {
    for (const connection of opened)
      await ignoreFailure(connection.close(), 'failed to close a database that did not open');
    if (index !== null) await ignoreFailure(index.close(), 'failed to close the index of the write-ahead log');
    throw error;
  }
}

/** The errors of a full disk: SQLite also reports a failure to extend a file. */
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

/** Through a new connection: one that has read before may have cached an older state of a full-text index. */
async function damageOf(file: string): Promise<string | null> {
  const reader = await openReader(file);
  try {
    const [check] = await reader.all<{ quick_check: string }>('PRAGMA quick_check(1)');
    return check?.quick_check === 'ok'
      ? null
      : (check?.quick_check.replaceAll(/\s+/g, ' ') ?? t('api.storage.noReason'));
  } finally {
    await reader.close();
  }
}

/** Through a separate connection: its snapshot does not block writers, and it can be interrupted. */
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
