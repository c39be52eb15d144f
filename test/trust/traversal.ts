import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { Random } from '../model/random.ts';
import { readZip } from '../support/read-zip.ts';
import type { WebVisitor } from '../support/web-visitor.ts';
import { type Call, describedCalls, type Parameter } from './description.ts';
import { Ground } from './ground.ts';
import { HOSTILE_PATHS } from './hostile-values.ts';

export interface TraversalReport {
  readonly seed: number;
  /** Doors: parameters that take a path or a name, and addresses. */
  readonly doors: number;
  readonly paths: number;
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** What must not be, in sentences with what was sent. */
  readonly complaints: readonly string[];
}

/** Where Debian's wfuzz has its lists of such paths. */
const LISTS = '/usr/share/wfuzz/wordlist';

/** Of the ways out of a folder each that some server has gone: plain, encoded once and twice, overlong, of other systems, hidden. */
const DOTS = [
  '..',
  '%2e%2e',
  '%252e%252e',
  '.%2e',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '．．',
  '%uff0e%uff0e',
  '..;',
  '..%00',
];
const SLASHES = ['/', '\\', '%2f', '%252f', '%5c', '%c0%af', '%e0%80%af', '／', '∕', '//', '/./', '%u2215'];
const TARGETS = ['outside/canary.txt', 'mia/hers.txt', '.larder/tls/ca.key', '.larder/larder.sqlite', 'etc/passwd'];

/** Every way out to every target that is here, two to eight folders up. */
export function waysOut(): string[] {
  const ways = DOTS.flatMap((dots) =>
    SLASHES.flatMap((slash, at) => {
      const target = (TARGETS[at % TARGETS.length] ?? '').replaceAll('/', slash);
      return [1, 2, 3, 8].map((up) => `${`${dots}${slash}`.repeat(up)}${target}`);
    }),
  );
  return [...HOSTILE_PATHS, ...ways];
}

/** Lists of others, where Debian's wfuzz is installed. */
export function listedWaysOut(): string[] {
  const files = ['Injections/Traversal.txt', 'Injections/bad_chars.txt'].map((name) => join(LISTS, name));
  const folder = join(LISTS, 'vulns');
  const more = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('dirTraversal')) : [];
  return [...files.filter((file) => existsSync(file)), ...more.map((name) => join(folder, name))].flatMap((file) =>
    readFileSync(file, 'latin1')
      .split(/\r?\n/)
      .filter((line) => line !== ''),
  );
}

/** Where a path goes in: it makes the request of a path. */
interface Door {
  readonly name: string;
  readonly ask: (path: string) => Asked;
}

interface Asked {
  readonly method: string;
  /** With its query, as it stands in the request line. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** Doors after which it is looked what has changed. */
const LOOKED_AFTER = 25;
/** What is put in front of a path that goes up. */
const BASES = ['', '/ROOT/HOME/', '/ROOT/HOME/Photos/', '/ROOT/'];

/**
 * Paths that lead out, in every parameter of the running server that takes a path or a name, and in its addresses, each encoded as
 * it should be and as it stands. None may give out or change what is not in the home, or say where it is on the machine.
 * @param share how many of all requests are made, 0 to 1
 */
export async function traversal({ share, seed }: { share: number; seed: number }): Promise<TraversalReport> {
  const random = new Random(seed);
  const ground = await Ground.open();
  const agent = new Agent({ connect: { rejectUnauthorized: false }, connections: 8, bodyTimeout: 30_000 });
  try {
    const doors = [...parameterDoors(await describedCalls(ground.api)), ...pathDoors(ground.link), ...multipartDoors()];
    const paths = [...new Set([...waysOut(), ...(share === 1 ? listedWaysOut() : [])])];
    const statuses = new Map<number, number>();
    const complaints: string[] = [];
    let token = ground.api.token_ ?? '';
    let cookie = cookieOf(await ground.visitor());
    let requests = 0;
    for (const [at, door] of doors.entries()) {
      await ground.replenish();
      for (const path of paths) {
        if (!random.chance(share) || complaints.length >= 20) continue;
        const { method, path: line, headers = {}, body } = door.ask(path);
        requests += 1;
        const told = `${door.name} with ${JSON.stringify(path.slice(0, 200))}`;
        const answer = await agent
          .request({
            origin: ground.api.base,
            path: line,
            method: method as 'GET',
            headers: { authorization: `Bearer ${token}`, cookie, accept: 'text/html', ...headers },
            body: body ?? null,
          })
          .catch((error: NodeJS.ErrnoException) => error);
        if (answer instanceof Error) {
          // What is no request line is not sent by the client.
          if (answer.code !== 'UND_ERR_INVALID_ARG') complaints.push(`${told}: no answer (${answer.message})`);
          continue;
        }
        const bytes = Buffer.from(await answer.body.arrayBuffer());
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
        if (answer.statusCode >= 500)
          complaints.push(`${told}: ${answer.statusCode} ${bytes.toString().slice(0, 200)}`);
        if (answer.statusCode === 401) {
          token = await ground.signInAnew();
          cookie = cookieOf(await ground.visitor());
        }
        const tells = ground.tellsTooMuch(await wordsOf(bytes), { mayNameFolders: door.name.includes('admin-users') });
        if (tells !== null) complaints.push(`${told}: ${tells}: ${bytes.toString().slice(0, 200)}`);
        // A file may be called like that; then it is in the home.
        const location = String(answer.headers.location ?? '');
        if (/^(?:\/\/|\/\\|https?:)/i.test(location) && !location.startsWith(ground.api.base))
          complaints.push(`${told}: leads to ${location}`);
      }
      if (at % LOOKED_AFTER !== LOOKED_AFTER - 1 && at !== doors.length - 1) continue;
      await ground.replenishPeople();
      const damages = await ground.damages();
      complaints.push(...damages.map((damage) => `${door.name}, or one before it: ${damage}`));
      if (damages.length > 0) break;
    }
    return { seed, doors: doors.length, paths: paths.length, requests, statuses, complaints };
  } finally {
    await agent.destroy();
    await ground.remove();
  }
}

const cookieOf = ({ cookies }: WebVisitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** An answer as text; of an archive, what is in it. */
async function wordsOf(bytes: Buffer): Promise<string> {
  if (bytes.subarray(0, 4).toString('latin1') !== 'PK\x03\x04') return bytes.toString();
  return Object.values(await readZip(bytes)).join('\n');
}

/** Each parameter that takes a path or a name: below something that is there, and encoded or as it stands. */
function parameterDoors(calls: readonly Call[]): Door[] {
  return calls
    .filter(({ method }) => method !== 'HEAD')
    .flatMap((call) =>
      [...call.parameters, ...objectParameters(call)]
        .filter(takesPath)
        .flatMap((parameter) => doorsOf(call, parameter)),
    );
}

/** Of the parameters that hold others, those that name a file or a folder. */
function objectParameters({ path }: Call): Parameter[] {
  if (!/admin-users\/(?:add|edit)/.test(path)) return [];
  return ['data[username]', 'data[logo_url]', 'perms[homefolder]'].map((name) => ({
    ...{ name, isRequired: false, isList: false, type: 'string', choices: [] },
  }));
}

const takesPath = ({ name, choices }: Parameter) =>
  choices.length === 0 && /path|^target$|(?:To|Name|name|folder\])$|^alias$|logo/.test(name);

function doorsOf(call: Call, parameter: Parameter): Door[] {
  const others = call.parameters.filter(({ isRequired, name }) => isRequired && name !== parameter.name);
  const rest = others.map(({ name, isList }) => `${name}${isList ? '[]' : ''}=${encodeURIComponent(sensible(name))}`);
  if (call.path.includes('admin-users'))
    rest.push('data[name]=x', 'data[username]=someone', 'generate_password=1', 'UID=2');
  const key = `${parameter.name}${parameter.isList ? '[]' : ''}`;
  const isPath = !/name|alias|logo/i.test(parameter.name);
  let turn = 0;
  const inForm = (query: string): Asked =>
    call.method === 'POST'
      ? { method: 'POST', path: `/api.php${call.path}`, headers: FORM, body: query }
      : { method: call.method, path: `/api.php${call.path}?${query}`, ...(call.method === 'PUT' ? { body: 'x' } : {}) };
  const ask = (encode: (text: string) => string) => (path: string) => {
    turn += 1;
    const base = isPath ? (BASES[turn % BASES.length] ?? '') : '';
    return inForm([...rest, `${key}=${encode(`${base}${path}`)}`].join('&'));
  };
  const name = `${call.method} ${call.path} ${parameter.name}`;
  return [
    { name, ask: ask((text) => encodeURIComponent(text.isWellFormed() ? text : '')) },
    { name: `${name} as it stands`, ask: ask(asItStands) },
  ];
}

/** What no request line or form can hold is encoded; nothing else is. */
function asItStands(text: string): string {
  return text.replace(/[^!-~]|[#&+]/gu, (sign) => encodeURIComponent(sign.isWellFormed() ? sign : '?'));
}

function sensible(name: string): string {
  if (/^(?:path|paths)$/.test(name)) return '/ROOT/HOME/Work/file 2.txt';
  if (/To$|target/.test(name)) return '/ROOT/HOME/Music';
  if (/[nN]ame$/.test(name)) return 'named.txt';
  return '1';
}

/** Addresses themselves: pages with the path in their query, and what stands below a folder of files. */
function pathDoors(link: string): Door[] {
  const below = [
    '/',
    '/assets/',
    '/panel/',
    '/files/',
    '/wl/',
    '/api.php/',
    '/api.php/files/',
    '/oauth2/logo/',
    '/account/',
  ];
  const pages = ['/files/', '/files/item', '/files/download', '/files/thumbnail', '/files/view', '/files/content'];
  const links = ['/wl/', '/wl/content', '/wl/get', '/wl/view', '/wl/thumbnail'];
  return [
    ...below.map((base) => ({
      name: `GET ${base}`,
      ask: (path: string) => ({ method: 'GET', path: `${base}${asItStands(path)}` }),
    })),
    ...[...pages, ...links].map((base) => ({
      name: `GET ${base}?path`,
      ask: (path: string) => ({
        method: 'GET',
        path: `${base}${link.slice(link.indexOf('?'))}&path=${asItStands(path)}`,
      }),
    })),
    {
      name: 'GET /account/sign-in?next',
      ask: (path) => ({ method: 'GET', path: `/account/sign-in?next=${asItStands(path)}` }),
    },
  ];
}

/** RFC 7578 §4.2: the file name of a part is what a client says, and no path. */
function multipartDoors(): Door[] {
  const quoted = (text: string) => text.replace(/["\p{Cc}]/gu, '_');
  const part = (disposition: string) => ({
    method: 'POST',
    path: '/api.php/files/upload?path=/ROOT/HOME/Work',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `--b\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n\r\nnew\r\n--b--\r\n`,
  });
  return [
    { name: 'the file name of a part', ask: (path) => part(`filename="${quoted(path)}"`) },
    { name: 'the encoded file name of a part', ask: (path) => part(`filename*=UTF-8''${asItStands(path)}`) },
  ];
}
