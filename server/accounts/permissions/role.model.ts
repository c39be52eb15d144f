import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import type { ColumnTypes } from '../../database/models.ts';

interface Role extends Model<InferAttributes<Role>, InferCreationAttributes<Role>> {
  id: CreationOptional<number>;
  name: string;
  nameFold: string;
  /** JSON of those that differ from the defaults (permissions.ts). */
  permissions: string;
  homeTemplate: string;
  createdAt: number;
}

export function roleModel(sequelize: Sequelize, types: ColumnTypes): ModelStatic<Role> {
  return sequelize.define<Role>(
    'role',
    {
      id: { type: types.INTEGER, primaryKey: true, autoIncrement: true },
      name: { type: types.TEXT, allowNull: false },
      nameFold: { type: types.TEXT, allowNull: false, field: 'name_fold' },
      permissions: { type: types.TEXT, allowNull: false },
      homeTemplate: { type: types.TEXT, allowNull: false, field: 'home_template' },
      createdAt: { type: types.INTEGER, allowNull: false, field: 'created_at' },
    },
    { tableName: 'roles', timestamps: false },
  );
}
