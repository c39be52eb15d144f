import type { Sequelize, Transaction as SequelizeTransaction } from 'sequelize';
import type { Connection, SqlParams } from './connection.ts';

/** What a unit of work writes through. Pass it on as an argument; it ends with the unit. */
export interface Transaction {
  /** For models: `Model.create(values, { transaction: tx.sequelize })`. */
  readonly sequelize: SequelizeTransaction;
  all<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
  get<Row>(sql: string, params?: SqlParams): Promise<Row | undefined>;
  run(sql: string, params?: SqlParams): Promise<{ changes: number; lastId: number }>;
  /** Runs once the commit is on the disk; not when the unit fails. */
  afterCommit(hook: () => void): void;
}

interface Unit {
  readonly run: (tx: Transaction) => Promise<void>;
  readonly committed: () => void;
  readonly failed: (error: unknown) => void;
}

const BATCH = 64;

/**
 * One writer behind a queue. Units that wait while a commit is being flushed share the next commit, each inside a
 * savepoint of its own: one that fails takes nothing of the others with it. A unit is told `done` only after the
 * commit that carries it is on the disk (`synchronous=FULL`). A unit only talks to the database: whatever else it
 * waits for, everyone waits for.
 */
export class WriteQueue {
  readonly #writer: Connection;
  readonly #sequelize: Sequelize;
  readonly #waiting: Unit[] = [];
  #running: Promise<void> | null = null;
  #closed = false;
  #generation = 0;

  constructor(writer: Connection, sequelize: Sequelize) {
    this.#writer = writer;
    this.#sequelize = sequelize;
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'));
    return new Promise<T>((resolve, reject) => {
      let result: T;
      let hooks: (() => void)[] = [];
      this.#waiting.push({
        run: async (tx) => {
          hooks = [];
          result = await work({ ...tx, afterCommit: (hook) => hooks.push(hook) });
        },
        committed: () => {
          for (const hook of hooks) hook();
          resolve(result);
        },
        failed: reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Grows with every commit: what was read in one generation is still so as long as it is the same. */
  get generation(): number {
    return this.#generation;
  }

  /** Finishes what waits and takes nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#commitTogether(this.#waiting.splice(0, BATCH));
    this.#running = null;
  }

  async #commitTogether(units: readonly Unit[]): Promise<void> {
    const done: Unit[] = [];
    try {
      const sequelize = await this.#sequelize.transaction();
      try {
        const tx = this.#transaction(sequelize);
        for (const unit of units) if (await this.#runInSavepoint(unit, tx)) done.push(unit);
        // Before the commit, so that nobody reads the new state and takes it for the old generation's.
        this.#generation += 1;
        await this.#writer.exec('COMMIT');
        this.#generation += 1;
      } catch (error) {
        await this.#writer.exec('ROLLBACK').catch(() => undefined);
        throw error;
      }
    } catch (error) {
      for (const unit of units) unit.failed(error);
      return;
    }
    for (const unit of done) unit.committed();
  }

  async #runInSavepoint(unit: Unit, tx: Transaction): Promise<boolean> {
    await this.#writer.exec('SAVEPOINT unit');
    try {
      await unit.run(tx);
      await this.#writer.exec('RELEASE unit');
      return true;
    } catch (error) {
      await this.#writer.exec('ROLLBACK TO unit; RELEASE unit');
      unit.failed(error);
      return false;
    }
  }

  #transaction(sequelize: SequelizeTransaction): Transaction {
    const writer = this.#writer;
    return {
      sequelize,
      all: (sql, params) => writer.all(sql, params),
      get: async <Row>(sql: string, params?: SqlParams) => (await writer.all<Row>(sql, params))[0],
      run: (sql, params) => writer.run(sql, params),
      afterCommit: () => undefined,
    };
  }
}
