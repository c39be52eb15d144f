// Requests of a signed-in account.

import { t } from 'virtual:messages/files';
import { keyOf } from '../lib/form-token.ts';
import { asRequestError, isRecord, RequestError } from '../lib/requests.ts';
import { account, base, session } from './page.ts';

/** A field of a form, by its name. */
export type Field = readonly [name: string, value: string];
type Data = Readonly<Record<string, unknown>>;

/** The result for one item. */
export interface ItemResult {
  /** Its new path. */
  readonly to?: string;
  /** Of an item that was moved or renamed. */
  readonly uuid?: string;
  /** Why it failed. */
  readonly error?: string;
  readonly code?: string;
}

/** @returns the data of the reply, and its final address @throws RequestError */
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
  // Another account has signed in in this browser: the page must not mix data of both.
  if (data.account !== undefined && String(data.account) !== account) {
    throw new RequestError(401, t('files.errors.otherAccount'), 'somebody_else');
  }
  return { data, address: response.url };
}

/** A page, as its parts. */
export async function requestPage(address: string) {
  const { data, address: found } = await request('GET', address);
  return { title: textIn(data, 'title'), nav: textIn(data, 'nav'), main: textIn(data, 'main'), address: found };
}

/** Sends a form. After signing in again, the new session is used. @throws RequestError */
export async function submitForm(address: string, fields: readonly Field[]): Promise<Data> {
  const submit = async () => (await request('POST', address, [...fields, ['form_token', session.token]])).data;
  try {
    return await submit();
  } catch (error) {
    if (asRequestError(error).code !== 'permission_denied') throw error;
    const { token } = session;
    await renewSession();
    if (keyOf(session.token) === keyOf(token)) throw error;
    return submit();
  }
}

/** Performs an action on items, like the forms of the pages. @throws RequestError */
export const postAction = (action: string, fields: readonly Field[]): Promise<Data> =>
  submitForm(`${base}/do/${action}`, fields);

/** The same, for actions with a result per item. */
export async function postItems(action: string, fields: readonly Field[]): Promise<readonly ItemResult[]> {
  const { results } = await postAction(action, fields);
  return Array.isArray(results) ? results.filter(isRecord) : [];
}

/** Checks that the session is still valid; a page would redirect to the sign-in instead. @throws RequestError */
export async function renewSession(): Promise<void> {
  const { data } = await request('GET', `${base}/session`);
  session.token = textIn(data, 'token');
}

export function textIn(data: Data, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

/** The fields of a form, without those that every request sets itself. */
export function fieldsOf(form: HTMLFormElement, without: readonly string[] = ['form_token']): Field[] {
  return [...new FormData(form)].flatMap(([name, value]): Field[] =>
    without.includes(name) || typeof value !== 'string' ? [] : [[name, value]],
  );
}

/** The field of the pressed button. */
export const fieldOfButton = (submitter: HTMLElement | null): Field[] =>
  submitter instanceof HTMLButtonElement ? [[submitter.name, submitter.value]] : [];
