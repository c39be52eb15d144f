import sqlite3 from 'sqlite3';

export type SqlValue = string | number | null | Buffer;
export type SqlParams = readonly SqlValue[];

interface Prepared {
  readonly statement: sqlite3.Statement;
  /** Rejects the calls made before the statement was prepared: the driver drops them if that fails. Null once it is prepared. */
  waiting: ((error: Error) => void)[] | null;
}

/** One SQLite connection with its prepared statements. The callback API of the driver as promises, and nothing more. */
export class Connection {
  readonly handle: sqlite3.Database;
  readonly #statements = new Map<string, Prepared>();
  #isClosing = false;

  private constructor(handle: sqlite3.Database) {
    this.handle = handle;
  }

  /** @param mode flags of sqlite3_open_v2 */
  static open(file: string, mode = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const handle = new sqlite3.Database(file, mode, (error) => {
        if (error === null) resolve(new Connection(handle));
        else reject(error);
      });
    });
  }

  /** Statements without parameters, several at once. For schema and pragmas. */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosing) return reject(closed());
      this.handle.exec(sql, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  /** All rows. The statement is prepared once and cached; every statement runs to its end, so none holds a snapshot. */
  all<Row>(sql: string, params: SqlParams = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosing) return reject(closed());
      const statement = this.#prepare(sql, reject);
      statement.all<Row>([...params], (error, rows) =>
        error === null ? resolve(rows) : failed(statement, () => reject(error)),
      );
    });
  }

  run(sql: string, params: SqlParams = []): Promise<{ changes: number; lastId: number }> {
    return new Promise((resolve, reject) => {
      if (this.#isClosing) return reject(closed());
      const statement = this.#prepare(sql, reject);
      statement.run([...params], function (this: sqlite3.RunResult, error: Error | null) {
        if (error === null) resolve({ changes: this.changes, lastId: this.lastID });
        else failed(statement, () => reject(error));
      });
    });
  }

  /**
   * Completes the calls that were made before. Later ones are rejected at once: the driver would still run them while it waits, and
   * then fail to close because of their statements.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    // Not awaited: finalizing a statement that fails to prepare never calls back, and the driver closes only after all of them.
    for (const { statement } of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    await new Promise<void>((resolve, reject) => {
      this.handle.close((error) => (error === null ? resolve() : reject(error)));
    });
  }

  /** @param failed called when preparing fails: wrong SQL, a damaged file, or a failing disk */
  #prepare(sql: string, failed: (error: Error) => void): sqlite3.Statement {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      prepared = this.#prepareNew(sql);
      this.#statements.set(sql, prepared);
    }
    prepared.waiting?.push(failed);
    return prepared.statement;
  }

  #prepareNew(sql: string): Prepared {
    const statement = this.handle.prepare(sql, (error: Error | null) => {
      const { waiting } = prepared;
      prepared.waiting = null;
      if (error === null) return;
      // Not cached: preparing it may succeed the next time.
      this.#statements.delete(sql);
      for (const failed of waiting ?? []) failed(error);
    });
    const prepared: Prepared = { statement, waiting: [] };
    return prepared;
  }
}

/** As the driver rejects calls after the end. */
function closed(): Error {
  return Object.assign(new Error('SQLITE_MISUSE: Database is closed'), {
    code: 'SQLITE_MISUSE',
    errno: sqlite3.MISUSE,
  });
}

/**
 * A statement that failed because the database was locked is still active and keeps its snapshot: newer writes would fail until
 * it is run again.
 */
function failed(statement: sqlite3.Statement, then: () => void): void {
  statement.reset(then);
}
