import { expect } from 'vitest';
import type { Household } from '../../support/households/household.ts';
import { MEMBER } from '../../support/households/member.ts';
import type { Reply } from '../../support/requests/api-client.ts';
import { type DavClient, parsed } from '../../support/webdav/dav-client.ts';
import { connectedApp, send } from '../support.ts';

const FORM = 'application/x-www-form-urlencoded';

type Headers = Record<string, string>;

/** An app on a phone that a member of the household has connected, with the addresses that it builds. */
export class Phone {
  readonly #household: Household;
  readonly #agent: string;
  readonly dav: DavClient;

  private constructor(household: Household, dav: DavClient, agent: string) {
    this.#household = household;
    this.#agent = agent;
    this.dav = dav;
  }

  /** @param agent its user agent, which it sends with every request */
  static async connect(household: Household, username: string, agent: string): Promise<Phone> {
    const who = { username, password: MEMBER.password };
    return new Phone(household, await connectedApp(household, { may_share: '1' }, who), agent);
  }

  get username(): string {
    return this.dav.username;
  }

  /** @param path below the address of the account's files, percent-encoded */
  file(path: string): string {
    return `/remote.php/dav/files/${this.username}${path}`;
  }

  /** The same of its transfers, its trash or the versions of its files. */
  tree(tree: 'uploads' | 'trashbin' | 'versions', path: string): string {
    return `/remote.php/dav/${tree}/${this.username}${path}`;
  }

  /** The whole address, as apps state it in `Destination`. */
  whole(address: string): string {
    return `${this.dav.base}${address}`;
  }

  /** @param address below the root of the server */
  send(method: string, address: string, headers: Headers = {}, body?: string | Buffer): Promise<Reply> {
    const { authorization } = this.dav;
    return this.#household.api.send(method, address, {
      headers: { authorization, 'user-agent': this.#agent, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** A request of OCS. @param form sent in the body as a form */
  ocs(method: string, path: string, form?: Record<string, string>, headers: Headers = {}): Promise<Reply> {
    const body = form === undefined ? undefined : new URLSearchParams(form).toString();
    const type: Headers = form === undefined ? {} : { 'content-type': FORM };
    return this.send(method, `/ocs/v2.php${path}`, { 'ocs-apirequest': 'true', ...type, ...headers }, body);
  }

  /** The items of a listing with their properties, without the first one, which is the list itself. */
  async listed(address: string, asked: string, depth: '0' | '1' = '1') {
    const { status, text } = await this.send('PROPFIND', address, { depth }, asked);
    expect([address, status]).toEqual([address, 207]);
    const all = [...parsed(text)].map(([href, { found, missing }]) => ({ href, found, missing }));
    return depth === '0' ? all : all.slice(1);
  }

  /** What an app asks before it has signed in. */
  static before(household: Household, method: string, path: string, headers: Headers = {}): Promise<Reply> {
    return send(household, method, path, { headers });
  }
}

/** A body of PROPFIND. @param names with the prefixes `d`, `oc` and `nc` */
export function propfindOf(names: string): string {
  const elements = names.split(' ').map((name) => `<${name}/>`);
  return `<?xml version="1.0" encoding="UTF-8"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>${elements.join('')}</d:prop></d:propfind>`;
}
