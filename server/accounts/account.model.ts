import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import type { ColumnTypes } from '../database/models.ts';
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
  blockedUntil: CreationOptional<number | null>;
  blockCount: CreationOptional<number>;
  phone: CreationOptional<string>;
  company: CreationOptional<string>;
  website: CreationOptional<string>;
  description: CreationOptional<string>;
  logoUrl: CreationOptional<string>;
  receiveNotifications: CreationOptional<boolean>;
  expiresAt: CreationOptional<number | null>;
  requirePasswordChange: CreationOptional<boolean>;
  twoStepEnabled: CreationOptional<boolean>;
  ownerId: CreationOptional<number | null>;
  roleId: CreationOptional<number | null>;
  /** JSON of those that differ from the defaults (permissions/permissions.ts). */
  permissions: CreationOptional<string>;
  homeId: CreationOptional<string | null>;
  registeredAt: number;
  lastLoginAt: CreationOptional<number | null>;
}

/** The columns that are written through the model. */
export type AccountColumns = InferAttributes<Account>;

/** People, with what administrators or they themselves may set. Sign-in counters are written with SQL. */
export function accountModel(sequelize: Sequelize, types: ColumnTypes): ModelStatic<Account> {
  return sequelize.define<Account>(
    'account',
    {
      id: { type: types.INTEGER, primaryKey: true, autoIncrement: true },
      type: { type: types.TEXT, allowNull: false },
      username: { type: types.TEXT, allowNull: false },
      usernameFold: { type: types.TEXT, allowNull: false, field: 'username_fold' },
      name: { type: types.TEXT, allowNull: false },
      lastName: { type: types.TEXT, allowNull: false, defaultValue: '', field: 'last_name' },
      email: { type: types.TEXT, allowNull: false, defaultValue: '' },
      passwordHash: { type: types.TEXT, field: 'password_hash' },
      activated: { type: types.BOOLEAN, allowNull: false, defaultValue: true },
      deactivatedReason: { type: types.TEXT, field: 'deactivated_reason' },
      failedLoginAttempts: {
        type: types.INTEGER,
        allowNull: false,
        defaultValue: 0,
        field: 'failed_login_attempts',
      },
      blockedUntil: { type: types.INTEGER, field: 'blocked_until' },
      blockCount: { type: types.INTEGER, field: 'block_count' },
      phone: { type: types.TEXT },
      company: { type: types.TEXT },
      website: { type: types.TEXT },
      description: { type: types.TEXT },
      logoUrl: { type: types.TEXT, field: 'logo_url' },
      receiveNotifications: { type: types.BOOLEAN, field: 'receive_notifications' },
      expiresAt: { type: types.INTEGER, field: 'expires_at' },
      requirePasswordChange: { type: types.BOOLEAN, field: 'require_password_change' },
      twoStepEnabled: { type: types.BOOLEAN, field: 'two_step_required' },
      ownerId: { type: types.INTEGER, field: 'owner_id' },
      roleId: { type: types.INTEGER, field: 'role_id' },
      permissions: { type: types.TEXT },
      homeId: { type: types.TEXT, field: 'home_id' },
      registeredAt: { type: types.INTEGER, allowNull: false, field: 'registered_at' },
      lastLoginAt: { type: types.INTEGER, field: 'last_login_at' },
    },
    { tableName: 'accounts', timestamps: false },
  );
}
