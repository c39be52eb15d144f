import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import type { ColumnTypes } from '../database/models.ts';

interface Group extends Model<InferAttributes<Group>, InferCreationAttributes<Group>> {
  id: CreationOptional<number>;
  name: string;
  nameFold: string;
  /** Null: of the household. */
  ownerId: number | null;
  createdAt: number;
}

/** Groups without their members, which are rows of two ids. */
export function groupModel(sequelize: Sequelize, types: ColumnTypes): ModelStatic<Group> {
  return sequelize.define<Group>(
    'group',
    {
      id: { type: types.INTEGER, primaryKey: true, autoIncrement: true },
      name: { type: types.TEXT, allowNull: false },
      nameFold: { type: types.TEXT, allowNull: false, field: 'name_fold' },
      ownerId: { type: types.INTEGER, field: 'owner_id' },
      createdAt: { type: types.INTEGER, allowNull: false, field: 'created_at' },
    },
    { tableName: 'groups', timestamps: false },
  );
}
