import type { Household } from '../support/households/household.ts';
import { MEMBER } from '../support/households/member.ts';
import type { Reply } from '../support/requests/api-client.ts';
import type { DavClient } from '../support/webdav/dav-client.ts';
import { connectedApp, send } from './support.ts';

const BASE = '/apps/files_sharing/api/v1';
const FORM = 'application/x-www-form-urlencoded';

export type Form = Readonly<Record<string, string | number>>;

/** A reply of OCS: its HTTP status, the status in it, its message and its data. */
export interface OcsReply {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the server sends is what is tested
  readonly data: any;
}

/** An app that uses the addresses of shares. */
export interface SharingApp {
  readonly dav: DavClient;
  get(path: string, query?: Form): Promise<OcsReply>;
  post(form: Form): Promise<OcsReply>;
  put(id: string, form: Form): Promise<OcsReply>;
  delete(id: string): Promise<OcsReply>;
  /** The same without JSON. */
  xml(path: string): Promise<Reply>;
}

/** @param dav with the app password to use */
export function sharingApp(household: Pick<Household, 'api'>, dav: DavClient): SharingApp {
  const headers = { authorization: dav.authorization, 'ocs-apirequest': 'true' };

  async function ask(method: string, path: string, query: Form, form?: Form): Promise<OcsReply> {
    const reply = await send(household, method, `/ocs/v2.php${BASE}${path}?${written({ format: 'json', ...query })}`, {
      headers: { ...headers, ...(form === undefined ? {} : { 'content-type': FORM }) },
      ...(form === undefined ? {} : { body: written(form) }),
    });
    const { meta, data } = reply.body.ocs;
    return { status: reply.status, code: meta.statuscode, message: meta.message, data };
  }

  return {
    dav,
    get: (path, query = {}) => ask('GET', path, query),
    post: (form) => ask('POST', '/shares', {}, form),
    put: (id, form) => ask('PUT', `/shares/${id}`, {}, form),
    delete: (id) => ask('DELETE', `/shares/${id}`, {}),
    xml: (path) => send(household, 'GET', `/ocs/v2.php${BASE}${path}`, { headers }),
  };
}

/** An app that a member of the household has connected, who lets it share. */
export async function sharingAppOf(household: Household, username: string, fields: Form = {}): Promise<SharingApp> {
  const who = { username, password: MEMBER.password };
  return sharingApp(household, await connectedApp(household, { may_share: '1', ...fields }, who));
}

function written(form: Form): string {
  return new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)])).toString();
}
