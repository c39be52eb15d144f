// What all parts of the script for files share: the words, the live region, and how the server is asked.

import { texts } from './files-texts.js';

export { texts };

export const root = document.querySelector('.files');
export const base = root.dataset.base;

/** What a form of these pages has to carry. Another sign-in brings another one. */
export const session = { token: root.dataset.token };

const DIRECTED =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** What a name says of the direction of writing ends with it. */
const isolated = (name) => (DIRECTED.test(name) ? `\u2068${name.replaceAll('\u2069', '')}\u2069` : name);

/** Puts values into the places of a sentence: `{0}`, `{1}`. */
export function fill(sentence, ...values) {
  return sentence.replace(/\{(\d)\}/g, (_, index) => isolated(String(values[Number(index)])));
}

export const numbered = (count) => count.toLocaleString('en-GB');

/** For who listens: what has changed on the page. */
export function say(text) {
  const region = document.getElementById('say');
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Steps of 1024, three digits, as on the pages. */
export function humanSize(bytes) {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} ${texts.units[0]}`;
  let value = bytes / 1024;
  let unit = 1;
  while (value >= 1023.5 && unit < texts.units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${texts.units[unit]}`;
}

/** Why the server did not do what it was asked; status 0 when it did not answer at all. */
export class Failure extends Error {
  constructor(status, body) {
    super(body?.error ?? texts.noAnswer);
    this.status = status;
    this.code = body?.code ?? '';
    this.details = body?.details ?? {};
  }
}

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

export function query(values) {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed()).replaceAll('%2F', '/')}`)
    .join('&');
}

/** An element with its attributes and content, written as text whatever is in it. */
export function make(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...content);
  return element;
}

/** A drawing that the page has. */
export function sprite(name) {
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('class', 'icon');
  drawing.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#i-${name}`);
  drawing.append(use);
  return drawing;
}
