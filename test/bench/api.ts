import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { buffer, text } from 'node:stream/consumers';

export type Query = Record<string, string | number | readonly string[]>;

class ApiFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Calls one Larder over one connection that stays open. */
export class Api {
  readonly #agent: Agent;
  readonly #port: number;
  readonly token: string;

  constructor(port: number, ca: string, token: string) {
    this.#agent = new Agent({ ca, keepAlive: true, maxSockets: 1 });
    this.#port = port;
    this.token = token;
  }

  /** @returns `data` of the reply @throws ApiFailure */
  async get(operation: string, query: Query): Promise<Record<string, unknown>> {
    const reply = await this.open(operation, query);
    return dataOf(await text(reply));
  }

  /** The same with the parameters as a form. */
  async post(operation: string, form: Query): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/x-www-form-urlencoded' };
    return dataOf(await text(await this.#send('POST', `/api.php/${operation}`, headers, encodeQuery(form))));
  }

  /** A reply whose body is still to be read. */
  open(operation: string, query: Query): Promise<IncomingMessage> {
    return this.#send('GET', operationPath(operation, query), { authorization: `Bearer ${this.token}` });
  }

  /** @returns the content of a reply @throws Error for any other status than 200 */
  async bytes(operation: string, query: Query): Promise<Buffer> {
    const reply = await this.open(operation, query);
    const content = await buffer(reply);
    if (reply.statusCode !== 200) throw new Error(`status ${reply.statusCode}: ${content.toString('utf8', 0, 200)}`);
    return content;
  }

  /** The token endpoint. @returns its reply */
  async signIn(form: Record<string, string>): Promise<{ access_token?: string }> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return JSON.parse(await text(await this.#send('POST', '/oauth2/token/', headers, encodeQuery(form))));
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, headers: OutgoingHttpHeaders, body?: string): Promise<IncomingMessage> {
    const sent = request({ host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, headers });
    return new Promise((resolve, reject) => {
      sent.once('response', resolve).once('error', reject).end(body);
    });
  }
}

/** @throws ApiFailure for an envelope that says so */
export function dataOf(body: string): Record<string, unknown> {
  const { success, data, code, error } = JSON.parse(body);
  if (success !== true) throw new ApiFailure(String(code), String(error));
  return data ?? {};
}

export function operationPath(operation: string, query: Query): string {
  return `/api.php/${operation}?${encodeQuery(query)}`;
}

function encodeQuery(query: Query): string {
  return Object.entries(query)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.map((one) => [name, one]) : [[name, value]]))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}
