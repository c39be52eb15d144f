import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
} from 'sequelize';
import type { Database } from '../database/database.ts';
import type { AccountType, DeactivationReason } from './account-type.ts';

interface Account extends Model<InferAttributes<Account>, InferCreationAttributes<Account>> {
  id: CreationOptional<number>;
  type: AccountType;
  username: string;
  usernameFold: string;
  name: string;
  lastName: CreationOptional<string>;
  email: CreationOptional<string>;
  passwordHash: string | null;
  activated: CreationOptional<boolean>;
  deactivatedReason: CreationOptional<DeactivationReason | null>;
  failedLoginAttempts: CreationOptional<number>;
  homeId: CreationOptional<string | null>;
  registeredAt: number;
  lastLoginAt: CreationOptional<number | null>;
}

export type AccountModel = ModelStatic<Account>;

export async function defineAccountModel(database: Database): Promise<AccountModel> {
  return (await database.sequelize()).define<Account>(
    'account',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      type: { type: DataTypes.TEXT, allowNull: false },
      username: { type: DataTypes.TEXT, allowNull: false },
      usernameFold: { type: DataTypes.TEXT, allowNull: false, field: 'username_fold' },
      name: { type: DataTypes.TEXT, allowNull: false },
      lastName: { type: DataTypes.TEXT, allowNull: false, defaultValue: '', field: 'last_name' },
      email: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      passwordHash: { type: DataTypes.TEXT, field: 'password_hash' },
      activated: { type: DataTypes.BOOLEAN, allowNull: false, defaultValue: true },
      deactivatedReason: { type: DataTypes.TEXT, field: 'deactivated_reason' },
      failedLoginAttempts: {
        type: DataTypes.INTEGER,
        allowNull: false,
        defaultValue: 0,
        field: 'failed_login_attempts',
      },
      homeId: { type: DataTypes.TEXT, field: 'home_id' },
      registeredAt: { type: DataTypes.INTEGER, allowNull: false, field: 'registered_at' },
      lastLoginAt: { type: DataTypes.INTEGER, field: 'last_login_at' },
    },
    { tableName: 'accounts', timestamps: false },
  );
}
