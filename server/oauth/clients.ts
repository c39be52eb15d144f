import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Events } from '../lib/events.ts';
import { FieldProblem } from '../lib/field-problem.ts';
import { equalSecrets, randomAlphanumeric, randomToken, tokenHash } from '../lib/random.ts';
import { type ClientRecord, defineClientModel, type Grant } from './client.model.ts';
import { redirectUriProblem } from './redirect-uris.ts';

export type { ClientRecord } from './client.model.ts';

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
  /** Registers a confidential client (§1.4). The secret is returned here and never again. @throws ClientProblem */
  add(client: NewClient): Promise<{ client: ClientRecord; secret: string }>;
  /** @returns the removed client, or null; its authorizations go with it */
  remove(clientId: string): Promise<ClientRecord | null>;
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
  const model = defineClientModel(database);

  async function find(clientId: string): Promise<ClientRecord | null> {
    // No client has such an id, and SQLite reads a statement up to its first NUL.
    return clientId.includes('\0') ? null : model.findOne({ where: { clientId } });
  }

  return {
    list: () => model.findAll({ order: [['id', 'ASC']] }),

    async add({ name, redirectUris }) {
      if (name.trim() === '' || name.length > 100) {
        throw new ClientProblem('name', 'A client has a name of at most 100 characters.');
      }
      if (redirectUris.length > 50) throw new ClientProblem('redirectUris', 'A client has at most 50 redirect URIs.');
      for (const uri of redirectUris) {
        const problem = redirectUriProblem(uri);
        if (problem !== null) throw new ClientProblem('redirectUris', `${uri}: ${problem}`);
      }
      const secret = randomToken();
      const client = await database.write((tx) =>
        model.create(
          {
            clientId: randomAlphanumeric(24),
            name: name.trim(),
            secretHash: tokenHash(secret),
            redirectUris: [...new Set(redirectUris)],
            grants: CONFIDENTIAL_GRANTS,
            createdAt: clock.now(),
          },
          { transaction: tx.sequelize },
        ),
      );
      events.emit('client.added', { clientId: client.clientId, name: client.name });
      return { client, secret };
    },

    async remove(clientId) {
      const client = await find(clientId);
      if (client !== null) await database.write((tx) => client.destroy({ transaction: tx.sequelize }));
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
      if ((await model.count({ where: { clientId: MOBILE_CLIENT_ID } })) > 0) return;
      await database.write((tx) =>
        model.create(
          {
            clientId: MOBILE_CLIENT_ID,
            name: 'Larder mobile apps',
            secretHash: null,
            redirectUris: ['larder://oauth'],
            grants: PUBLIC_GRANTS,
            createdAt: clock.now(),
          },
          { transaction: tx.sequelize },
        ),
      );
    },
  };
}
