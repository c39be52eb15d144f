import sqlite3 from 'sqlite3';

export type SqlValue = string | number | null | Buffer;
export type SqlParams = readonly SqlValue[];

/** One SQLite connection with its prepared statements. The callback API of the driver as promises, and nothing more. */
export class Connection {
  readonly handle: sqlite3.Database;
  readonly #statements = new Map<string, sqlite3.Statement>();

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
      this.handle.exec(sql, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  /** All rows. The statement is prepared once and kept; every statement runs to its end, so none holds a snapshot. */
  all<Row>(sql: string, params: SqlParams = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#prepare(sql).all<Row>([...params], (error, rows) => (error === null ? resolve(rows) : reject(error)));
    });
  }

  run(sql: string, params: SqlParams = []): Promise<{ changes: number; lastId: number }> {
    return new Promise((resolve, reject) => {
      this.#prepare(sql).run([...params], function (this: sqlite3.RunResult, error: Error | null) {
        if (error === null) resolve({ changes: this.changes, lastId: this.lastID });
        else reject(error);
      });
    });
  }

  async close(): Promise<void> {
    for (const statement of this.#statements.values()) {
      await new Promise<void>((resolve) => statement.finalize(() => resolve()));
    }
    this.#statements.clear();
    await new Promise<void>((resolve, reject) => {
      this.handle.close((error) => (error === null ? resolve() : reject(error)));
    });
  }

  #prepare(sql: string): sqlite3.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      // What is wrong with it is said to the callback of its use. Then it is not kept: the schema may change.
      statement = this.handle.prepare(sql, (error: Error | null) => {
        if (error !== null) this.#statements.delete(sql);
      });
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
