import { ignoreFailure } from '../lib/async/ignore-failure.ts';
import { ScopeGuard } from '../lib/concurrency/scope-guard.ts';
import type { Connection, SqlParams } from './connection.ts';
import { type ChangedFolder, FolderChanges, noteChangedRows, takeChangedFolders } from './folder-changes.ts';
import { type ModelAccess, Models } from './models.ts';

/**
 * What a unit of work writes through. Pass it on as an argument; it ends with the unit.
 * `Scope` is what the unit may change: without it, a transaction of any scope, for functions that change what all of them may.
 */
export interface Transaction<Scope extends Touches = Touches> {
  readonly touches: Scope;
  /**
   * A model of an administrative table: its statements are part of the transaction. The first use loads the library, so call
   * `loadModels` before the transaction where that is possible.
   */
  readonly model: [Scope] extends ['everything'] ? ModelAccess : never;
  all<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
  get<Row>(sql: string, params?: SqlParams): Promise<Row | undefined>;
  run(sql: string, params?: SqlParams): Promise<{ changes: number; lastId: number }>;
  /** Runs once the commit is on the disk; not when the unit fails. */
  afterCommit(hook: () => void): unknown;
}

/**
 * What caches depend on: rows of files and folders, what is known of photos without reading their rows (such as months and places),
 * or everything else.
 */
export type Subject = 'accounts' | 'files' | 'photos';

/**
 * What a unit changes, for the caches: `photos` is what was read from files, of which only photos are cached, and `activity` is rows
 * that no cache has.
 */
export type Touches = 'everything' | 'files' | 'photos' | 'activity';

interface Context {
  readonly writer: Connection;
  readonly models: Models;
}

interface Unit {
  readonly touches: Touches;
  /** Whether the unit is one statement, which SQLite runs as a transaction of its own. */
  readonly isSingle: boolean;
  readonly run: (context: Context) => Promise<void>;
  readonly committed: () => void;
  readonly failed: (error: unknown) => void;
}

const BATCH = 64;

/** Reads inside a unit must use its transaction; others would see the state before the unit. */
export const unitGuard = new ScopeGuard('a unit of work reads and writes through its transaction only');

/** No transaction could be begun: another program holds the database, or its disk refuses. */
class NotBegun extends Error {
  constructor(cause: unknown) {
    super('no transaction could be begun', { cause });
  }
}

/**
 * One writer behind a queue. Units that wait while a commit is being flushed share the next commit. A failed unit does not
 * affect the others; therefore a unit may be rolled back and run again, and must affect only the database. Its promise
 * resolves only after its commit is on the disk (`synchronous=FULL`). A unit must not wait for anything but the database,
 * because all other units wait for it.
 */
export class WriteQueue {
  readonly #writer: Connection;
  readonly #waiting: Unit[] = [];
  #running: Promise<void> | null = null;
  #closed = false;
  readonly #generations: Record<Subject, number> = { accounts: 0, files: 0, photos: 0 };

  readonly models: Models;
  readonly folderChanges = new FolderChanges();
  #notesFolders = false;

  readonly #makeRoom: (error: unknown) => Promise<boolean>;

  /** @param makeRoom called when a commit fails; returns whether space was freed, so that the commit can be retried */
  constructor(writer: Connection, makeRoom: (error: unknown) => Promise<boolean> = async () => false) {
    this.#writer = writer;
    this.models = new Models(writer);
    this.#makeRoom = makeRoom;
  }

  /** @param touches what the work changes; everything, unless it is sure to touch less */
  write<T, Scope extends Touches>(work: (tx: Transaction<Scope>) => Promise<T>, touches: Scope): Promise<T> {
    return this.#enqueue(work, touches, false);
  }

  /** One statement. When the queue is empty it runs without BEGIN and COMMIT, which is three times as fast. */
  writeOne<Row>(statement: () => { sql: string; params: SqlParams }, touches: Touches): Promise<Row[]> {
    const work = (tx: Transaction) => {
      const { sql, params } = statement();
      return tx.all<Row>(sql, params);
    };
    return this.#enqueue(work, touches, true);
  }

  #enqueue<T, Scope extends Touches>(
    work: (tx: Transaction<Scope>) => Promise<T>,
    touches: Scope,
    isSingle: boolean,
  ): Promise<T> {
    unitGuard.check();
    if (this.#closed) return Promise.reject(new Error('the database is closed'));
    return new Promise<T>((resolve, reject) => {
      let result: T;
      const hooks: (() => void)[] = [];
      this.#waiting.push({
        touches,
        isSingle,
        run: async (context) => {
          hooks.length = 0;
          result = await unitGuard.run(() => work(transaction(context, touches, hooks)));
        },
        committed: () => {
          resolve(result);
          for (const hook of hooks) {
            try {
              hook();
            } catch (error) {
              // It is committed, whatever a hook makes of it.
              process.emitWarning(error as Error);
            }
          }
        },
        failed: reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Grows around every commit that touches the subject: what was read while it stayed the same is still so. */
  generation(subject: Subject): number {
    return this.#generations[subject];
  }

  /**
   * From now on, `folderChanges` says which folders' rows have changed. To be called when the schema is up to date.
   * @param file identifies the file of the database
   */
  async noteFolders(file: string): Promise<void> {
    await noteChangedRows(this.#writer, file);
    this.#notesFolders = true;
  }

  /** Finishes the queued units and accepts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#commitTogether(this.#waiting.splice(0, BATCH));
    this.#running = null;
  }

  /**
   * All units in one transaction; when one of them fails, every one again in a transaction of its own. A savepoint for
   * each would cost more than the unit itself, and failures are rare.
   */
  async #commitTogether(units: readonly Unit[]): Promise<void> {
    try {
      await this.#commitWithRoom(units);
      for (const unit of units) unit.committed();
    } catch (error) {
      const [only] = units;
      if (units.length === 1) only?.failed(error);
      // None of them has been tried: waiting for it again, once for each, would add up to minutes.
      else if (error instanceof NotBegun) for (const unit of units) unit.failed(error.cause);
      else for (const unit of units) await this.#commitTogether([unit]);
    }
  }

  async #commitWithRoom(units: readonly Unit[]): Promise<void> {
    for (;;) {
      try {
        return await this.#commit(units);
      } catch (error) {
        if (!(await this.#makeRoom(error instanceof NotBegun ? error.cause : error))) throw error;
      }
    }
  }

  async #commit(units: readonly Unit[]): Promise<void> {
    const [only] = units;
    if (units.length === 1 && only?.isSingle) return this.#commitSingle(only);
    await this.#begin(units);
    try {
      const context = { writer: this.#writer, models: this.models };
      for (const unit of units) await unit.run(context);
      const folders = await this.#changedFolders(units);
      // Before and after the commit, so that reads in between count for neither state.
      this.#advance(units, folders);
      await this.#writer.run('COMMIT');
      this.#advance(units, folders);
    } catch (error) {
      await ignoreFailure(this.#writer.run('ROLLBACK'), 'failed to roll back');
      throw error;
    }
  }

  async #begin(units: readonly Unit[]): Promise<void> {
    try {
      await this.#writer.run('BEGIN IMMEDIATE');
    } catch (error) {
      throw units.length === 1 ? error : new NotBegun(error);
    }
  }

  async #commitSingle(unit: Unit): Promise<void> {
    this.#advance([unit], []);
    try {
      await unit.run({ writer: this.#writer, models: this.models });
    } finally {
      const folders = await this.#changedFolders([unit]).catch(() => null);
      this.#advance([unit], folders);
    }
  }

  async #changedFolders(units: readonly Unit[]): Promise<ChangedFolder[]> {
    if (!this.#notesFolders || !units.some(changesFiles)) return [];
    return takeChangedFolders(this.#writer);
  }

  /** @param folders whose rows the units have changed; null if that is unknown */
  #advance(units: readonly Unit[], folders: readonly ChangedFolder[] | null): void {
    if (folders === null) this.folderChanges.recordAll();
    else this.folderChanges.record(folders);
    if (units.some(({ touches }) => touches !== 'activity')) this.#generations.photos += 1;
    if (units.some(changesFiles)) this.#generations.files += 1;
    if (units.some(({ touches }) => touches === 'everything')) this.#generations.accounts += 1;
  }
}

const changesFiles = ({ touches }: Unit): boolean => touches === 'everything' || touches === 'files';

function transaction<Scope extends Touches>(
  { writer, models }: Context,
  touches: Scope,
  hooks: (() => void)[],
): Transaction<Scope> {
  return {
    touches,
    model: ((definition) => models.model(definition)) as ModelAccess as Transaction<Scope>['model'],
    all: (sql, params) => writer.all(sql, params),
    get: async <Row>(sql: string, params?: SqlParams) => (await writer.all<Row>(sql, params))[0],
    run: (sql, params) => writer.run(sql, params),
    afterCommit: (hook) => hooks.push(hook),
  };
}
