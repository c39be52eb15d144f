import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
} from 'sequelize';
import type { Database } from '../database/database.ts';
import { jsonText } from '../database/json-text.ts';

export type Grant = 'authorization_code' | 'refresh_token' | 'password';

export interface ClientRecord extends Model<InferAttributes<ClientRecord>, InferCreationAttributes<ClientRecord>> {
  id: CreationOptional<number>;
  clientId: string;
  name: string;
  /** SHA-256 of the secret; null for a public client. */
  secretHash: Buffer | null;
  redirectUris: string[];
  grants: Grant[];
  createdAt: number;
}

export type ClientModel = ModelStatic<ClientRecord>;

export function defineClientModel({ sequelize }: Database): ClientModel {
  return sequelize.define<ClientRecord>(
    'client',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      clientId: { type: DataTypes.TEXT, allowNull: false, field: 'client_id' },
      name: { type: DataTypes.TEXT, allowNull: false },
      secretHash: { type: DataTypes.BLOB, field: 'secret_hash' },
      redirectUris: jsonText('redirectUris', 'redirect_uris'),
      grants: jsonText('grants', 'grants'),
      createdAt: { type: DataTypes.INTEGER, allowNull: false, field: 'created_at' },
    },
    { tableName: 'clients', timestamps: false },
  );
}
