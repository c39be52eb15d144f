import { Agent, type Dispatcher, request } from 'undici';
import { checkReply } from './openapi-check.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body of a JSON reply, else an empty object. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape
  readonly body: any;
}

export interface ApiClientOptions {
  readonly port: number;
  readonly ca: string;
  readonly basePath?: string;
  readonly token?: string;
}

type Query = Record<string, string | number | readonly string[]>;

/** Calls a server over real HTTPS. Every reply of an API operation is validated against the server's own description. */
export class ApiClient {
  readonly token_: string | undefined;
  readonly #agent: Agent;
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
    this.token_ = options.token;
    this.#agent = new Agent({
      connect: { ca: options.ca },
      keepAliveTimeout: 1,
      pipelining: 1,
      bodyTimeout: 120_000,
      headersTimeout: 120_000,
    });
  }

  get base(): string {
    return `https://127.0.0.1:${this.#options.port}${this.#options.basePath ?? ''}`;
  }

  /** The same server with another token. */
  with(token: string): ApiClient {
    return new ApiClient({ ...this.#options, token });
  }

  /** A reply whose content the test reads itself, at any speed. */
  open(method: string, path: string): Promise<Dispatcher.ResponseData> {
    return request(`${this.base}${path}`, {
      method: method as Dispatcher.HttpMethod,
      headers: this.token_ === undefined ? {} : { authorization: `Bearer ${this.token_}` },
      dispatcher: this.#agent,
    });
  }

  /** A raw request: of `path`, only what no request line can contain is encoded. */
  async send(
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: Dispatcher.DispatchOptions['body'] } = {},
  ): Promise<Reply> {
    const { origin } = new URL(this.base);
    // Not by its URL, in which `..` would be resolved before it is sent.
    const response = await this.#agent.request({
      origin,
      path: inRequestLine(`${this.#options.basePath ?? ''}${path}`),
      method: method as Dispatcher.HttpMethod,
      headers: { ...(this.token_ === undefined ? {} : { authorization: `Bearer ${this.token_}` }), ...options.headers },
      body: options.body ?? null,
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    const isJson = headers['content-type']?.startsWith('application/json') ?? false;
    const text = bytes.toString('utf8');
    const reply: Reply = {
      status: response.statusCode,
      headers,
      text,
      bytes,
      body: isJson && text !== '' ? JSON.parse(text) : {},
    };
    await checkReply(this, method, path, reply);
    return reply;
  }

  get(operation: string, query: Query = {}): Promise<Reply> {
    return this.send('GET', `/api.php/${operation}?${encodeQuery(query)}`);
  }

  /** As a form. */
  post(operation: string, form: Query = {}, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send('POST', `/api.php/${operation}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: encodeQuery(form),
    });
  }

  put(query: Query, content: Dispatcher.DispatchOptions['body'], headers: Record<string, string> = {}): Promise<Reply> {
    return this.send('PUT', `/api.php/files/upload?${encodeQuery(query)}`, { headers, body: content ?? null });
  }

  token(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send('POST', '/oauth2/token/', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: encodeQuery(form),
    });
  }
}

function inRequestLine(path: string): string {
  return path.replace(/[^!-~]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** The status and code of a reply, for tables of refusals. */
export async function outcome(reply: Promise<Reply>): Promise<[status: number, code: string | undefined]> {
  const { status, body } = await reply;
  return [status, body.code];
}

export function encodeQuery(query: Query): string {
  return Object.entries(query)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.map((one) => [name, one]) : [[name, String(value)]]))
    .map(([name, value]) => `${encodeURIComponent(String(name))}=${encodeURIComponent(String(value))}`)
    .join('&');
}
