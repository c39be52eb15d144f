import type { DataTypes, Model, ModelStatic, Sequelize } from 'sequelize';
import sqlite3 from 'sqlite3';
import { once } from '../lib/async/once.ts';
import type { Connection } from './connection.ts';

export type ColumnTypes = typeof DataTypes;

/** Declares a model. It imports only types of the library, which is loaded when the first model is used. */
type ModelDefinition<M extends Model> = (sequelize: Sequelize, types: ColumnTypes) => ModelStatic<M>;

/** Returns a model whose statements are part of the transaction it is requested from. */
export type ModelAccess = <M extends Model>(definition: ModelDefinition<M>) => Promise<ModelStatic<M>>;

/**
 * Sequelize on the connection of the writer, for tables that only administrators change. Its statements are part of the
 * transaction that is under way on that connection, so models are reached through a `Transaction` only. Loading takes a tenth of
 * a second and 30 MB: most starts of a server do without.
 */
export class Models {
  readonly #library: () => Promise<{ sequelize: Sequelize; types: ColumnTypes }>;
  readonly #models = new Map<unknown, unknown>();

  constructor(writer: Connection) {
    this.#library = once(async () => {
      const { DataTypes, Sequelize } = await import('sequelize');
      const options = {
        dialect: 'sqlite' as const,
        dialectModule: dialectOn(writer),
        dialectOptions: { mode: sqlite3.OPEN_READWRITE },
        storage: 'larder',
        logging: false,
        // The writer has set its own pragmas.
        foreignKeys: false,
      };
      return { sequelize: new Sequelize(options), types: DataTypes };
    });
  }

  /** Loads the library, so that no transaction has to wait for it. */
  async load(): Promise<void> {
    await this.#library();
  }

  async model<M extends Model>(definition: ModelDefinition<M>): Promise<ModelStatic<M>> {
    const { sequelize, types } = await this.#library();
    const model = (this.#models.get(definition) as ModelStatic<M> | undefined) ?? definition(sequelize, types);
    this.#models.set(definition, model);
    return model;
  }
}

/** The driver with a connection that is open already: https://sequelize.org/docs/v6/other-topics/dialect-specific-things/ */
function dialectOn({ handle }: Connection): object {
  function Database(_file: string, _mode: number, opened: (error: null) => void): sqlite3.Database {
    process.nextTick(opened, null);
    return handle;
  }
  return { ...sqlite3, Database };
}
