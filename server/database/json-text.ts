import type { Model } from 'sequelize';
import type { ColumnTypes } from './models.ts';

/** A column of JSON in TEXT. Sequelize's own JSON type is read back as text from a table that declares TEXT. */
export function jsonText(types: ColumnTypes, name: string, field: string) {
  return {
    type: types.TEXT,
    allowNull: false,
    field,
    get(this: Model): unknown {
      const text: unknown = this.getDataValue(name);
      // An update carries only what changes.
      return typeof text === 'string' ? JSON.parse(text) : undefined;
    },
    set(this: Model, value: unknown): void {
      this.setDataValue(name, JSON.stringify(value));
    },
  };
}
