import type { Dispatcher } from 'undici';
import type { ApiClient, Reply } from '../requests/api-client.ts';

export interface DavRequest {
  readonly headers?: Record<string, string>;
  readonly body?: Dispatcher.DispatchOptions['body'];
}

/** A program that uses WebDAV with a user name and an app password. */
export class DavClient {
  readonly #api: ApiClient;
  readonly username: string;
  readonly password: string;
  /** What is before the names, such as `/dav`. */
  readonly prefix: string;

  constructor(api: ApiClient, username: string, password: string, prefix = '/dav') {
    this.#api = api;
    this.username = username;
    this.password = password;
    this.prefix = prefix;
  }

  /** The same program at another address. */
  at(prefix: string): DavClient {
    return new DavClient(this.#api, this.username, this.password, prefix);
  }

  /** The same program after the server has started again, at another port. */
  over(api: ApiClient): DavClient {
    return new DavClient(api, this.username, this.password, this.prefix);
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.username}:${this.password}`).toString('base64')}`;
  }

  /** The address of the server. */
  get base(): string {
    return this.#api.base;
  }

  /** @param path below the prefix, percent-encoded */
  send(method: string, path: string, { headers = {}, body }: DavRequest = {}): Promise<Reply> {
    return this.#api.send(method, `${this.prefix}${path}`, {
      headers: { authorization: this.authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  put(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send('PUT', path, { headers, body });
  }

  propfind(path: string, depth: '0' | '1', body?: string): Promise<Reply> {
    return this.send('PROPFIND', path, { headers: { depth }, ...(body === undefined ? {} : { body }) });
  }

  /** @param path and destination below the prefix */
  transfer(method: 'COPY' | 'MOVE', path: string, to: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send(method, path, { headers: { destination: `${this.prefix}${to}`, ...headers } });
  }

  /** Locks something exclusively. @returns the reply, and the token of the lock */
  async lock(
    path: string,
    { headers = {}, scope = 'exclusive', owner = 'test' } = {},
  ): Promise<Reply & { token: string }> {
    const reply = await this.send('LOCK', path, {
      headers: { depth: '0', timeout: 'Second-600', ...headers },
      body: `<?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><${scope}/></lockscope><locktype><write/></locktype><owner>${owner}</owner></lockinfo>`,
    });
    return { ...reply, token: /<([^>]+)>/.exec(reply.headers['lock-token'] ?? '')?.[1] ?? '' };
  }
}

/** An app password of the account of an API client, as a WebDAV client. */
export async function davClient(api: ApiClient, options: Record<string, string | number> = {}): Promise<DavClient> {
  const { body: info } = await api.get('account/info');
  const { body } = await api.post('account/app-passwords/add', { label: 'Test program', ...options });
  if (body.success !== true) throw new Error(JSON.stringify(body));
  return new DavClient(api, info.username, body.data.password);
}

/** The properties in a `multistatus` reply: for each address, the content of each property by its local name, by status. */
export function parsed(text: string): Map<string, { readonly found: Map<string, string>; readonly missing: string[] }> {
  const responses = new Map<string, { readonly found: Map<string, string>; readonly missing: string[] }>();
  for (const [, response = ''] of text.matchAll(/<d:response>(.*?)<\/d:response>/gs)) {
    const href = /<d:href>(.*?)<\/d:href>/s.exec(response)?.[1] ?? '';
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const [, prop = '', status = ''] of response.matchAll(
      /<d:propstat><d:prop>(.*?)<\/d:prop><d:status>HTTP\/1\.1 (\d+)/gs,
    )) {
      for (const [, , name = '', content = ''] of prop.matchAll(
        /<((?:\w+:)?([\w-]+))(?:\s[^>]*)?(?:\/>|>(.*?)<\/\1>)/gs,
      )) {
        if (status === '200') found.set(name, content ?? '');
        else missing.push(`${status} ${name}`);
      }
    }
    responses.set(href, { found, missing });
  }
  return responses;
}
