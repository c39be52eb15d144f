import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { type Call, describedCalls, type Parameter } from '../values/description.ts';
import { Bystander, stateOf } from './process-state.ts';

export interface HugeReport {
  readonly operations: number;
  readonly shapes: number;
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** What must not be, in sentences. */
  readonly complaints: readonly string[];
  /** Milliseconds of the slowest answer, and the slowest one that a bystander got meanwhile. */
  readonly slowest: { readonly own: number; readonly told: string; readonly bystander: number };
  /** Bytes, before and at the most. */
  readonly memory: { readonly before: number; readonly most: number };
}

/** What of a request is huge or deep. */
interface Shape {
  readonly name: string;
  /** Null where it does not fit the call. */
  of(call: Call): Sent | null;
}

interface Sent {
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** What may come of it, but for success, a failure of its parameters, and one that says that there is no such thing. */
  readonly status?: number;
}

const KB = 1_000;
const MB = 1_000 * KB;
const CONCURRENCY = 4;
/** Milliseconds after which a request counts as hanging. */
const HANGING = 20_000;

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };

/** A value that could be meant, so that what is behind the first look is reached. */
function sensible({ name, type, choices }: Parameter): string {
  if (choices[0] !== undefined) return choices[0];
  if (/path|^to$|destination|copyTo|moveTo|target|extractTo/i.test(name)) return '/ROOT/HOME/Work/file.txt';
  return /integer|number|boolean/.test(type) ? '1' : 'some';
}

/** What is required, each with a value that could be meant, but for one. */
function others(call: Call, but?: string): [string, string][] {
  return call.parameters
    .filter(({ name, isRequired }) => isRequired && name !== but)
    .map((parameter) => [parameter.name, sensible(parameter)]);
}

const encoded = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

/** As a form where the call takes one. */
const form = (name: string, text: (call: Call) => string): Shape => ({
  name,
  of: (call) => (call.method === 'POST' ? { headers: FORM, body: `${encoded(others(call))}&${text(call)}` } : null),
});

const json = (name: string, text: (call: Call) => string): Shape => ({
  name,
  of: (call) => (call.method === 'POST' ? { headers: JSON_BODY, body: text(call) } : null),
});

const parts = (name: string, boundary: string, text: (call: Call) => string): Shape => ({
  name,
  of: (call) =>
    call.method === 'POST'
      ? { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: text(call) }
      : null,
});

const query = (name: string, text: (call: Call) => string, status: number): Shape => ({
  name,
  of: (call) => ({ query: text(call), status }),
});

const headers = (name: string, made: Record<string, string>, status?: number): Shape => ({
  name,
  of: (call) => ({ query: encoded(others(call)), headers: made, ...(status === undefined ? {} : { status }) }),
});

const field = (name: string, value: string, boundary = 'b') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const first = (call: Call) => call.parameters[0]?.name ?? 'path';
const times = (count: number, one: (n: number) => string, between = '&') =>
  Array.from({ length: count }, (_, n) => one(n)).join(between);
const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}${close.repeat(depth)}`;

const SHAPES: readonly Shape[] = [
  form('10,000 parameters', () => times(10_000, (n) => `p${n}=1`)),
  form('a parameter 10,000 times', (call) => times(10_000, () => `${first(call)}=1`)),
  form('a list of 10,000', (call) => times(10_000, () => `${first(call)}[]=1`)),
  form('a list of 900', (call) => times(900, () => `${first(call)}[]=1`)),
  form('users of 10,000', () => times(10_000, (n) => `users[]=${n}`)),
  form('a name of 10 KB', () => `${'n'.repeat(10 * KB)}=1`),
  form('a name of 900 KB', () => `${'n'.repeat(900 * KB)}=1`),
  form('brackets 1,000 deep', (call) => `${first(call)}${'[a]'.repeat(1_000)}=1`),
  form('brackets that are never closed', (call) => `${first(call)}${'['.repeat(100 * KB)}=1`),
  form('an entry far away', (call) => `${first(call)}[999999999]=x&a[999999999]=x`),
  form('the prototype', (call) => `__proto__[x]=1&constructor[prototype][x]=1&${first(call)}[__proto__][x]=1`),
  form('a megabyte of ampersands', () => '&'.repeat(900 * KB)),
  form('a megabyte of percent signs', (call) => `${first(call)}=${'%'.repeat(900 * KB)}`),
  form('a megabyte of percent-encoded zeros', (call) => `${first(call)}=${'%00'.repeat(300 * KB)}`),
  form('ten megabytes', () => 'a'.repeat(10 * MB)),
  json('lists 100,000 deep', (call) => `{"${first(call)}":${nested(100_000, '[', ']')}}`),
  json('objects 100,000 deep', (call) => `{"${first(call)}":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
  json('a list of 200,000', (call) => `{"${first(call)}":[${times(200_000, () => '1', ',')}]}`),
  json('10,000 names', () => `{${times(10_000, (n) => `"p${n}":1`, ',')}}`),
  json('the prototype in JSON', (call) => `{"__proto__":{"x":1},"${first(call)}":{"__proto__":{"x":1}}}`),
  json('a number of 100,000 digits', (call) => `{"${first(call)}":${'9'.repeat(100_000)}}`),
  json('ten megabytes of JSON', (call) => `{"${first(call)}":"${'a'.repeat(10 * MB)}"}`),
  parts('10,000 parts', 'b', () => `${times(10_000, (n) => field(`p${n}`, '1'), '')}--b--\r\n`),
  parts('a part of 10 MB', 'b', (call) => `${field(first(call), 'a'.repeat(10 * MB))}--b--\r\n`),
  parts(
    'a part header of 100 KB',
    'b',
    () => `--b\r\nContent-Disposition: form-data; name="x"\r\nX-Long: ${'x'.repeat(100 * KB)}\r\n\r\n1\r\n--b--\r\n`,
  ),
  parts('10,000 part headers', 'b', () => `--b\r\n${'X: y\r\n'.repeat(10_000)}\r\n1\r\n--b--\r\n`),
  parts('a part name of 100 KB', 'b', () => `${field('n'.repeat(100 * KB), '1')}--b--\r\n`),
  parts(
    'a boundary of 1,000 characters',
    'b'.repeat(1_000),
    (call) => `${field(first(call), '1', 'b'.repeat(1_000))}--${'b'.repeat(1_000)}--\r\n`,
  ),
  parts('almost boundaries', 'b', () => `${'\r\n--'.repeat(250_000)}--b--\r\n`),
  query('a query of 60 KB', () => 'q'.repeat(60 * KB), 431),
  query('a query of 20 KB', () => 'q'.repeat(20 * KB), 414),
  {
    name: 'a query of 15 KB',
    of: (call) => ({ query: `${encoded(others(call))}&${first(call)}=${'q'.repeat(15 * KB)}` }),
  },
  headers('headers of 60 KB', { 'x-long': 'x'.repeat(60 * KB) }, 431),
  headers('2,000 headers', Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`x-${n}`, '1'])), 431),
  headers('a range list of 20 KB', { range: `bytes=${times(4_000, (n) => `${n}-`, ',')}` }),
  headers('a list of tags of 20 KB', { 'if-none-match': times(5_000, () => '"x"', ',') }),
  headers('a language list of 20 KB', { 'accept-language': times(3_000, () => 'de;q=1', ',') }),
  headers('many forwarders', { 'x-forwarded-for': times(2_000, () => '10.0.0.1', ',') }),
  headers('many cookies', { cookie: times(2_000, (n) => `c${n}=${n}`, '; ') }),
];

const text = (name: string): Parameter => ({ name, isRequired: true, isList: false, type: 'string', choices: [] });
const page = (path: string, ...names: string[]): Call => ({
  ...{ path, method: 'POST', takesFile: false },
  parameters: names.map(text),
});

/** What the description does not have: anybody may send something there. */
const OTHER_CALLS: readonly Call[] = [
  page('/oauth2/token/', 'grant_type', 'username', 'password', 'scope', 'client_id', 'client_secret', 'refresh_token'),
  page('/oauth2/revoke/', 'token', 'client_id', 'client_secret'),
  page('/oauth2/authorize/', 'request', 'answer', 'form_token'),
  { ...page('/oauth2/authorize/', 'client_id', 'redirect_uri', 'scope', 'state'), method: 'GET' },
  page('/account/sign-in', 'username', 'password', 'next', 'form_token'),
  page('/account/forgotten', 'who', 'form_token'),
  page('/account/reset', 'reset', 'new_password', 'repeat', 'form_token'),
  { ...page('/wl/', 'id', 'path'), method: 'GET' },
  page('/wl/get', 'id', 'files', 'all'),
  page('/panel/api', 'method', 'input'),
  page('/nowhere', 'x'),
];

/** Each parameter of a call in its turn, as large as that. */
function largeValues(call: Call, size: number): { name: string; sent: Sent }[] {
  if (call.method !== 'POST') return [];
  return call.parameters.map(({ name, isList }) => ({
    name: `${size / KB} KB in ${name}`,
    sent: {
      headers: FORM,
      body: `${encoded(others(call, name))}&${name}${isList ? '[]' : ''}=${'v'.repeat(size)}`,
    },
  }));
}

/**
 * What is far too large or too deep, in every operation of the server's own description, by somebody who may call it, and in
 * what anybody may ask. What must
 * not come: a status of 500 and above, silence, memory that grows on, others who wait.
 * @param everything every shape in every operation; otherwise each operation gets some, and each shape is in several
 */
export async function hugeAndDeep({ everything }: { everything: boolean }): Promise<HugeReport> {
  const installation = await Installation.create();
  const complaints: string[] = [];
  const statuses = new Map<number, number>();
  const slowest = { own: 0, told: '', bystander: 0 };
  try {
    const api = await installation.start();
    await mkdir(join(installation.home, 'Work'));
    await writeFile(join(installation.home, 'Work', 'file.txt'), 'the text');
    const described = (await describedCalls(api)).map((call) => ({ ...call, path: `/api.php${call.path}` }));
    const calls = [...described, ...OTHER_CALLS];
    const work = calls.flatMap((call, index) => {
      const sizes = everything ? [100 * KB, 900 * KB] : index % 5 === 0 ? [100 * KB] : [];
      const shapes = SHAPES.filter((_, at) => everything || (at + index) % 10 === 0);
      return [
        ...shapes.map((shape) => ({ name: shape.name, call, sent: shape.of(call) })),
        ...sizes.flatMap((size) => largeValues(call, size).map(({ name, sent }) => ({ name, call, sent }))),
      ];
    });
    const { memory: before } = await stateOf(installation.pid);
    const memory = { before, most: before };
    const bystander = new Bystander(api, 50);
    const looking = setInterval(async () => {
      memory.most = Math.max(memory.most, (await stateOf(installation.pid)).memory);
    }, 200);
    let requests = 0;
    const one = async () => {
      for (let next = work.pop(); next !== undefined && complaints.length < 20; next = work.pop()) {
        const { name, call, sent } = next;
        if (sent === null) continue;
        requests += 1;
        const told = `${call.method} ${call.path}: ${name}`;
        const began = performance.now();
        const status = await outcomeOf(api, call, sent);
        const took = performance.now() - began;
        if (took > slowest.own) Object.assign(slowest, { own: took, told });
        if (typeof status === 'string') complaints.push(`${told}: ${status}`);
        else statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (sent.status !== undefined && status !== sent.status)
          complaints.push(`${told}: ${status} instead of ${sent.status}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, one));
    clearInterval(looking);
    const seen = await bystander.end();
    slowest.bystander = seen.slowest;
    complaints.push(...seen.complaints.map((text) => `The bystander was ${text}`));
    complaints.push(...(await installation.doctor()).problems.map((text) => `The doctor says: ${text}`));
    return { operations: calls.length, shapes: SHAPES.length, requests, statuses, complaints, slowest, memory };
  } finally {
    await installation.remove();
  }
}

/** @returns the status, or what is wrong with the answer. Every answer is held against the description, too. */
async function outcomeOf(api: ApiClient, { method, path }: Call, sent: Sent): Promise<number | string> {
  const patience = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${HANGING / 1_000} s`)), HANGING).unref();
  });
  const { query: asked = '', headers: more = {}, body } = sent;
  // Of an upload by PUT, the body is the content; a small one is enough.
  const content = body ?? (method === 'PUT' ? 'x' : null);
  try {
    const sending = api.send(method, `${path}?${asked}`, { headers: more, body: content });
    const { status, text } = await Promise.race([sending, patience]);
    return status >= 500 && status !== 507 ? `${status} ${text.slice(0, 300)}` : status;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Whoever sends ten megabytes where one is too much may find the channel shut before all of it is sent.
    const isShut = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code) && (body?.length ?? 0) > MB;
    return isShut ? 0 : `${String(error).slice(0, 400)}`;
  }
}
