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
import type { Grant } from './client-record.ts';

interface Client extends Model<InferAttributes<Client>, InferCreationAttributes<Client>> {
  id: CreationOptional<number>;
  clientId: string;
  name: string;
  /** SHA-256 of the secret; null for a public client. */
  secretHash: Buffer | null;
  redirectUris: string[];
  grants: Grant[];
  createdAt: number;
  publisher: CreationOptional<string>;
  website: CreationOptional<string>;
  logo: CreationOptional<Buffer | null>;
  disabledAt: CreationOptional<number | null>;
}

export type ClientModel = ModelStatic<Client>;

export async function defineClientModel(database: Database): Promise<ClientModel> {
  return (await database.sequelize()).define<Client>(
    'client',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      clientId: { type: DataTypes.TEXT, allowNull: false, field: 'client_id' },
      name: { type: DataTypes.TEXT, allowNull: false },
      secretHash: { type: DataTypes.BLOB, field: 'secret_hash' },
      redirectUris: jsonText('redirectUris', 'redirect_uris'),
      grants: jsonText('grants', 'grants'),
      createdAt: { type: DataTypes.INTEGER, allowNull: false, field: 'created_at' },
      publisher: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      website: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      logo: { type: DataTypes.BLOB },
      disabledAt: { type: DataTypes.INTEGER, field: 'disabled_at' },
    },
    { tableName: 'clients', timestamps: false },
  );
}
