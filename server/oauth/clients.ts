import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Actor, Events } from '../lib/events.ts';
import { FieldProblem } from '../lib/field-problem.ts';
import { once } from '../lib/once.ts';
import { equalSecrets, randomAlphanumeric, randomToken, tokenHash } from '../lib/random.ts';
import { type ClientRecord, type ClientRow, clientOf, type Grant } from './client-record.ts';
import { redirectUriProblem } from './redirect-uris.ts';

export type { ClientRecord } from './client-record.ts';

/** §1.5: the public client that mobile apps use without being registered. */
export const MOBILE_CLIENT_ID = 'larder-mobile';

/** A value that a client cannot have. */
export class ClientProblem extends FieldProblem {}

export interface NewClient {
  name: string;
  redirectUris: readonly string[];
}

export interface Clients {
  list(): Promise<ClientRecord[]>;
  byClientId(clientId: string): Promise<ClientRecord | null>;
  byRowId(id: number): Promise<ClientRecord | null>;
  /** Registers a confidential client (§1.4). The secret is returned here and never again. @throws ClientProblem */
  add(client: NewClient, by: Actor): Promise<{ client: ClientRecord; secret: string }>;
  /** @returns the removed client, or null; its authorizations go with it */
  remove(clientId: string, by: Actor): Promise<ClientRecord | null>;
  /**
   * The client that these credentials prove. A client with a secret must show it; one without must not show any.
   * @param secret null when none was sent
   */
  authenticate(clientId: string, secret: string | null): Promise<ClientRecord | null>;
  /** Makes the default mobile client when it is not there yet. */
  ensureMobileClient(): Promise<void>;
}

const CONFIDENTIAL_GRANTS: Grant[] = ['authorization_code', 'refresh_token', 'password'];
const PUBLIC_GRANTS: Grant[] = ['authorization_code', 'refresh_token'];

export function createClients(database: Database, clock: Clock, events: Events): Clients {
  // Tokens read clients all the time, and only the owner changes them: the model layer is loaded for that.
  const model = once(async () => (await import('./client.model.ts')).defineClientModel(database));

  async function read(where: 'client_id' | 'id', value: string | number): Promise<ClientRecord | null> {
    const row = await database.get<ClientRow>(`SELECT * FROM clients WHERE ${where} = ?`, [value]);
    return row === undefined ? null : clientOf(row);
  }

  const find = (clientId: string) => read('client_id', clientId);

  async function create(client: Omit<ClientRecord, 'id'>): Promise<ClientRecord> {
    const clients = await model();
    const values = { ...client, redirectUris: [...client.redirectUris], grants: [...client.grants] };
    const { id } = await database.write((tx) => clients.create(values, { transaction: tx.sequelize }));
    return { ...client, id };
  }

  return {
    byClientId: find,
    byRowId: (id) => read('id', id),

    list: async () => (await database.all<ClientRow>('SELECT * FROM clients ORDER BY id')).map(clientOf),

    async add({ name, redirectUris }, by) {
      if (name.trim() === '' || name.length > 100) {
        throw new ClientProblem('name', 'A client has a name of at most 100 characters.');
      }
      if (redirectUris.length > 50) throw new ClientProblem('redirectUris', 'A client has at most 50 redirect URIs.');
      for (const uri of redirectUris) {
        const problem = redirectUriProblem(uri);
        if (problem !== null) throw new ClientProblem('redirectUris', `${uri}: ${problem}`);
      }
      const secret = randomToken();
      const client = await create({
        clientId: randomAlphanumeric(24),
        name: name.trim(),
        secretHash: tokenHash(secret),
        redirectUris: [...new Set(redirectUris)],
        grants: CONFIDENTIAL_GRANTS,
        createdAt: clock.now(),
      });
      events.emit('client.added', { actor: by, clientId: client.clientId, name: client.name });
      return { client, secret };
    },

    async remove(clientId, by) {
      const client = await find(clientId);
      if (client === null) return null;
      const clients = await model();
      await database.write((tx) => clients.destroy({ where: { id: client.id }, transaction: tx.sequelize }));
      events.emit('client.removed', { actor: by, clientId, name: client.name });
      return client;
    },

    async authenticate(clientId, secret) {
      const client = await find(clientId);
      if (client === null) return null;
      // RFC 6749 §2.3.1: an empty secret is the same as none.
      const shown = secret === '' ? null : secret;
      if (client.secretHash === null) return shown === null ? client : null;
      return shown !== null && equalSecrets(client.secretHash, tokenHash(shown)) ? client : null;
    },

    async ensureMobileClient() {
      if ((await find(MOBILE_CLIENT_ID)) !== null) return;
      await create({
        clientId: MOBILE_CLIENT_ID,
        name: 'Larder mobile apps',
        secretHash: null,
        redirectUris: ['larder://oauth'],
        grants: PUBLIC_GRANTS,
        createdAt: clock.now(),
      });
    },
  };
}
