import type { Database } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import type { Actor, Events } from '../../lib/events.ts';
import { equalSecrets, randomAlphanumeric, randomToken, tokenHash } from '../../lib/random.ts';
import { t } from '../../messages/messages.ts';
import { CONSOLE_CLIENT_ID } from '../console-tokens.ts';
import { type ClientModel, clientModel } from './client.model.ts';
import { type ClientRecord, type ClientRow, clientOf, type Grant } from './client-record.ts';
import { redirectUriProblem } from './redirect-uris.ts';

export type { ClientRecord } from './client-record.ts';

/** §1.5: the public client that mobile apps use without being registered. */
const MOBILE_CLIENT_ID = 'larder-mobile';

/** A value that a client cannot have. */
export class ClientProblem extends FieldProblem {}

/** The editable properties of a client. */
interface ClientDetails {
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Publisher, https address and a small PNG, shown on the consent page; empty or null for none. */
  readonly publisher: string;
  readonly website: string;
  readonly logo: Buffer | null;
}

interface NewClient extends ClientDetails {
  /** Whether it cannot keep a secret: an app on a device or in a browser. It uses PKCE. */
  readonly isPublic: boolean;
}

/** How much a client is used. */
interface ClientUse {
  /** Accounts that have allowed it something. */
  readonly people: number;
  /** Milliseconds since the epoch, to the minute; null when it never was. */
  readonly lastUsedAt: number | null;
}

export interface Clients {
  /** All, including disabled ones; without the panel's own console. */
  list(): Promise<(ClientRecord & ClientUse)[]>;
  /** One that is switched off is none here. */
  byClientId(clientId: string): Promise<ClientRecord | null>;
  byRowId(id: number): Promise<ClientRecord | null>;
  /**
   * Registers a client (§1.4). The secret is returned here and never again; null for a public client.
   * @throws ClientProblem
   */
  add(client: NewClient, by: Actor): Promise<{ client: ClientRecord; secret: string | null }>;
  /**
   * Changes what is given. A disabled client is unknown to every endpoint, and its tokens are rejected at once; they are valid again
   * when it is enabled. @returns null when there is no such client @throws ClientProblem
   */
  update(
    clientId: string,
    changes: Partial<ClientDetails & { readonly enabled: boolean }>,
    by: Actor,
  ): Promise<ClientRecord | null>;
  /** Replaces the secret; the old one stops working. @returns null for a public client or an unknown one */
  replaceSecret(clientId: string, by: Actor): Promise<string | null>;
  /** @returns the removed client, or null; its authorizations go with it */
  remove(clientId: string, by: Actor): Promise<ClientRecord | null>;
  /**
   * Authenticates a client. A confidential client must send its secret; a public one must not send any.
   * @param secret null when none was sent
   */
  authenticate(clientId: string, secret: string | null): Promise<ClientRecord | null>;
  /** Creates the default mobile client if it does not exist yet. */
  ensureMobileClient(): Promise<void>;
}

const CONFIDENTIAL_GRANTS: Grant[] = ['authorization_code', 'refresh_token', 'password'];
const PUBLIC_GRANTS: Grant[] = ['authorization_code', 'refresh_token'];

const LIST = `SELECT clients.*, coalesce(used.people, 0) AS people, used.last_used_at FROM clients
  LEFT JOIN (SELECT client_id, count(DISTINCT account_id) AS people, max(last_used_at) AS last_used_at
             FROM authorizations GROUP BY client_id) used ON used.client_id = clients.id
  WHERE clients.client_id <> ? ORDER BY clients.id`;

export function createClients(database: Database, clock: Clock, events: Events): Clients {
  /** Every token check reads a client, and only the owner changes one: models are loaded for changes only. */
  async function change<T>(work: (clients: ClientModel) => Promise<T>): Promise<T> {
    await database.loadModels();
    return database.write(async (tx) => work(await tx.model(clientModel)));
  }

  async function read(where: 'client_id' | 'id', value: string | number): Promise<ClientRecord | null> {
    const row = await database.get<ClientRow>(`SELECT * FROM clients WHERE ${where} = ?`, [value]);
    return row === undefined ? null : clientOf(row);
  }

  const find = async (clientId: string) => (clientId === CONSOLE_CLIENT_ID ? null : read('client_id', clientId));

  async function create(client: Omit<ClientRecord, 'id'>): Promise<ClientRecord> {
    const values = { ...client, redirectUris: [...client.redirectUris], grants: [...client.grants] };
    const { id } = await change((clients) => clients.create(values));
    return { ...client, id };
  }

  return {
    byClientId: async (clientId) => switchedOn(await find(clientId)),
    byRowId: async (id) => switchedOn(await read('id', id)),

    list: async () => {
      const rows = await database.all<ClientRow & { people: number; last_used_at: number | null }>(LIST, [
        CONSOLE_CLIENT_ID,
      ]);
      return rows.map((row) => ({ ...clientOf(row), people: row.people, lastUsedAt: row.last_used_at }));
    },

    async add({ isPublic, ...given }, by) {
      const details = checked(given);
      const secret = isPublic ? null : randomToken();
      const client = await create({
        ...details,
        clientId: randomAlphanumeric(24),
        secretHash: secret === null ? null : tokenHash(secret),
        grants: isPublic ? PUBLIC_GRANTS : CONFIDENTIAL_GRANTS,
        createdAt: clock.now(),
        disabledAt: null,
      });
      events.emit('client.added', { actor: by, clientId: client.clientId, name: client.name });
      return { client, secret };
    },

    async update(clientId, changes, by) {
      const client = await find(clientId);
      if (client === null) return null;
      const { name, redirectUris, publisher, website, logo } = client;
      const { enabled = client.disabledAt === null, ...given } = changes;
      const details = checked({ name, redirectUris, publisher, website, logo, ...given });
      const disabledAt = enabled ? null : (client.disabledAt ?? clock.now());
      await change((clients) => clients.update({ ...details, disabledAt }, { where: { id: client.id } }));
      events.emit('client.changed', { actor: by, clientId, name: details.name, fields: Object.keys(changes) });
      return { ...client, ...details, disabledAt };
    },

    async replaceSecret(clientId, by) {
      const client = await find(clientId);
      if (client === null || client.secretHash === null) return null;
      const secret = randomToken();
      await change((clients) => clients.update({ secretHash: tokenHash(secret) }, { where: { id: client.id } }));
      events.emit('client.changed', { actor: by, clientId, name: client.name, fields: ['secret'] });
      return secret;
    },

    async remove(clientId, by) {
      const client = await find(clientId);
      if (client === null) return null;
      await change((clients) => clients.destroy({ where: { id: client.id } }));
      events.emit('client.removed', { actor: by, clientId, name: client.name });
      return client;
    },

    async authenticate(clientId, secret) {
      const client = switchedOn(await find(clientId));
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
        publisher: '',
        website: '',
        logo: null,
        disabledAt: null,
      });
    },
  };
}

const switchedOn = (client: ClientRecord | null) => (client?.disabledAt === null ? client : null);

const MAX_NAME = 100;
const MAX_REDIRECT_URIS = 50;

/** @returns what will be stored @throws ClientProblem */
function checked(details: ClientDetails): ClientDetails & { redirectUris: string[] } {
  const { redirectUris, logo } = details;
  const [name, publisher, website] = [details.name.trim(), details.publisher.trim(), details.website.trim()];
  if (name === '' || name.length > MAX_NAME) {
    throw new ClientProblem('name', t('api.clients.name', { max: MAX_NAME }));
  }
  if (publisher.length > MAX_NAME) {
    throw new ClientProblem('publisher', t('api.clients.publisher', { max: MAX_NAME }));
  }
  for (const [field, text] of Object.entries({ name, publisher })) {
    if (/\p{Cc}/u.test(text)) throw new ClientProblem(field, t('api.fields.nameCharacters'));
  }
  if (website !== '' && !isWebsite(website)) {
    throw new ClientProblem('website', t('api.clients.website'));
  }
  if (redirectUris.length > MAX_REDIRECT_URIS) {
    throw new ClientProblem('redirectUris', t('api.clients.tooManyRedirectUris', { max: MAX_REDIRECT_URIS }));
  }
  for (const uri of redirectUris) {
    const problem = redirectUriProblem(uri);
    if (problem !== null) throw new ClientProblem('redirectUris', t('api.clients.redirectUri', { uri, problem }));
  }
  return { name, publisher, website, logo, redirectUris: [...new Set(redirectUris)] };
}

function isWebsite(text: string): boolean {
  return text.length <= 500 && /^https:\/\/[^\s\\@"<>]+$/.test(text) && URL.canParse(text);
}
