import { DataTypes, type Model } from 'sequelize';

/** A column of JSON in TEXT. Sequelize's own JSON type is read back as text from a table that declares TEXT. */
export function jsonText(name: string, field: string) {
  return {
    type: DataTypes.TEXT,
    allowNull: false,
    field,
    get(this: Model): unknown {
      return JSON.parse(this.getDataValue(name) as string);
    },
    set(this: Model, value: unknown): void {
      this.setDataValue(name, JSON.stringify(value));
    },
  };
}
