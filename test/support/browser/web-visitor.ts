import { Agent, request } from 'undici';
import type { Household } from '../households/household.ts';

export interface PageReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly location: string | null;
  readonly text: string;
  /** Hidden fields of the last form in the page with the button. */
  readonly field: (name: string) => string;
}

/** A client like a browser: it stores cookies and sends forms, but follows no redirect. */
export class WebVisitor {
  readonly cookies = new Map<string, string>();
  readonly #base: string;
  readonly #agent: Agent;

  constructor(household: Pick<Household, 'port' | 'ca'>, basePath = '') {
    this.#base = `https://127.0.0.1:${household.port}${basePath}`;
    this.#agent = new Agent({ connect: { ca: household.ca }, keepAliveTimeout: 1 });
  }

  get origin(): string {
    return new URL(this.#base).origin;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<PageReply> {
    return this.#send('GET', path, headers);
  }

  /** @param fields of the form; must include `form_token` */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<PageReply> {
    const type = { 'content-type': 'application/x-www-form-urlencoded', origin: this.origin };
    return this.#send('POST', path, { ...type, ...headers }, new URLSearchParams(fields).toString());
  }

  /** A body of any type. */
  postRaw(path: string, body: string, type: string, headers: Record<string, string> = {}): Promise<PageReply> {
    return this.#send('POST', path, { 'content-type': type, origin: this.origin, ...headers }, body);
  }

  /** Like the script of a page. */
  put(path: string, content: string, headers: Record<string, string> = {}): Promise<PageReply> {
    return this.#send('PUT', path, { accept: 'application/json', origin: this.origin, ...headers }, content);
  }

  async #send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<PageReply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const address = path.startsWith('https://') ? path : `${this.#base}${path}`;
    const response = await request(address, {
      method,
      headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers },
      body: body ?? null,
      dispatcher: this.#agent,
    });
    const text = await response.body.text();
    for (const line of [response.headers['set-cookie'] ?? []].flat()) this.#keep(line);
    const flat = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    return {
      status: response.statusCode,
      headers: flat,
      location: flat.location ?? null,
      text,
      field: (name) => plain(new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''),
    };
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(pair.indexOf('=') + 1);
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

function plain(text: string): string {
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name] ?? '');
}
