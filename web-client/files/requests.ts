// Requests of somebody who is signed in.

import { t } from 'virtual:messages/files';
import { asRequestError, isRecord, RequestError } from '../lib/requests.ts';
import { account, base, session } from './page.ts';

/** A field of a form, by its name. */
export type Field = readonly [name: string, value: string];
export type Data = Readonly<Record<string, unknown>>;

/** What became of one item. */
export interface ItemResult {
  /** The path that it has now. */
  readonly to?: string;
  /** Why nothing was done. */
  readonly error?: string;
  readonly code?: string;
}

/** @returns the data of the reply, and the address that it came from in the end @throws RequestError */
export async function request(
  method: 'GET' | 'POST',
  address: string,
  fields?: readonly Field[],
): Promise<{ readonly data: Data; readonly address: string }> {
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      headers: { Accept: 'application/json' },
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields.map(([name, value]) => [name, value])) }),
    });
  } catch {
    throw new RequestError(0, t('files.errors.noAnswer'));
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok || !isRecord(body)) throw RequestError.fromBody(response.status, body, t('files.errors.noAnswer'));
  const data = isRecord(body.data) ? body.data : {};
  // Somebody else has signed in in this browser: nothing of theirs may come into this page, and nothing of it to them.
  if (data.account !== undefined && String(data.account) !== account) {
    throw new RequestError(401, t('files.errors.otherAccount'), 'somebody_else');
  }
  return { data, address: response.url };
}

/** A page, as the parts of which it is put together. */
export async function requestPage(address: string) {
  const { data, address: found } = await request('GET', address);
  return { title: textIn(data, 'title'), nav: textIn(data, 'nav'), main: textIn(data, 'main'), address: found };
}

/** Sends a form. Whoever has signed in again meanwhile continues with the new session. @throws RequestError */
export async function submitForm(address: string, fields: readonly Field[]): Promise<Data> {
  const submit = async () => (await request('POST', address, [...fields, ['form_token', session.token]])).data;
  try {
    return await submit();
  } catch (error) {
    if (asRequestError(error).code !== 'permission_denied') throw error;
    const { token } = session;
    await renewSession();
    if (session.token === token) throw error;
    return submit();
  }
}

/** Does something with items, as the forms of the pages do. @throws RequestError */
export const postAction = (action: string, fields: readonly Field[]): Promise<Data> =>
  submitForm(`${base}/do/${action}`, fields);

/** The same, for actions that say what became of each item. */
export async function postItems(action: string, fields: readonly Field[]): Promise<readonly ItemResult[]> {
  const { results } = await postAction(action, fields);
  return Array.isArray(results) ? results.filter(isRecord) : [];
}

/** Checks that somebody is still signed in; a page would lead to the sign-in instead. @throws RequestError */
export async function renewSession(): Promise<void> {
  const { data } = await request('GET', `${base}/session`);
  session.token = textIn(data, 'token');
}

export function textIn(data: Data, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

/** The fields of a form as somebody has filled it in, but for those that every request sets anew. */
export function fieldsOf(form: HTMLFormElement, without: readonly string[] = ['form_token']): Field[] {
  return [...new FormData(form)].flatMap(([name, value]): Field[] =>
    without.includes(name) || typeof value !== 'string' ? [] : [[name, value]],
  );
}
