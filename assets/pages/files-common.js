// What all parts of the script for files share: the words, the live region, and how the server is asked.

import { texts } from './files-texts.js';
import { Failure } from './requests.js';
import { sizeIn } from './words.js';

export { make, say, sprite } from './elements.js';
export { query } from './requests.js';
export { fill, numbered } from './words.js';
export { Failure, texts };

Failure.noAnswer = texts.noAnswer;

export const root = document.querySelector('.files');
export const base = root.dataset.base;

/** What a form of these pages has to carry. Another sign-in brings another one. */
export const session = { token: root.dataset.token };

export const humanSize = (bytes) => sizeIn(texts.units, bytes);

/** @returns the `data` of the answer, and its address @throws Failure */
export async function ask(method, address, fields) {
  let response;
  try {
    response = await fetch(address, {
      method,
      headers: { Accept: 'application/json' },
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
    });
  } catch {
    throw new Failure(0);
  }
  const body = await response.json().catch(() => null);
  if (!response.ok || body === null) throw new Failure(response.status, body);
  const { account } = body.data;
  // In this browser somebody else has signed in meanwhile: nothing of theirs belongs into this page, and nothing of it to them.
  if (account !== undefined && String(account) !== root.dataset.account) {
    throw new Failure(401, { error: texts.somebodyElse, code: 'somebody_else' });
  }
  return { data: body.data, address: response.url };
}

/** Sends a form. Who has signed in again meanwhile goes on with the new session. */
export async function send(address, fields) {
  const sent = () => ask('POST', address, [...fields, ['form_token', session.token]]);
  try {
    return (await sent()).data;
  } catch (error) {
    if (error.code !== 'permission_denied') throw error;
    const { token } = session;
    await renewSession();
    if (session.token === token) throw error;
    return (await sent()).data;
  }
}

/** Does something with items, as the forms of the pages do. @returns what became of each */
export const post = (action, fields) => send(`${base}/do/${action}`, fields);

/** Signed in still? A page that leads away would be the sign-in otherwise. @throws Failure */
export async function renewSession() {
  const { data } = await ask('GET', `${base}/session`);
  session.token = data.token;
}
