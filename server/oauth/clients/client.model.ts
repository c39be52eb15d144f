import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { jsonText } from '../../database/json-text.ts';
import type { ColumnTypes } from '../../database/models.ts';
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

/** Apps and services that may request tokens. */
export function clientModel(sequelize: Sequelize, types: ColumnTypes): ClientModel {
  return sequelize.define<Client>(
    'client',
    {
      id: { type: types.INTEGER, primaryKey: true, autoIncrement: true },
      clientId: { type: types.TEXT, allowNull: false, field: 'client_id' },
      name: { type: types.TEXT, allowNull: false },
      secretHash: { type: types.BLOB, field: 'secret_hash' },
      redirectUris: jsonText(types, 'redirectUris', 'redirect_uris'),
      grants: jsonText(types, 'grants', 'grants'),
      createdAt: { type: types.INTEGER, allowNull: false, field: 'created_at' },
      publisher: { type: types.TEXT, allowNull: false, defaultValue: '' },
      website: { type: types.TEXT, allowNull: false, defaultValue: '' },
      logo: { type: types.BLOB },
      disabledAt: { type: types.INTEGER, field: 'disabled_at' },
    },
    { tableName: 'clients', timestamps: false },
  );
}
