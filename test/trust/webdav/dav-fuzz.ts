import { randomBytes } from 'node:crypto';
import { Agent } from 'undici';
import { Random } from '../../model/random.ts';
import { davClient } from '../../support/webdav/dav-client.ts';
import { Ground } from '../access/secrets.ts';
import { HOSTILE_PATHS, HOSTILE_TEXTS } from '../values/hostile-values.ts';

export interface DavFuzzReport {
  readonly statuses: ReadonlyMap<string, number>;
  /** What must not be, in sentences with what was sent. */
  readonly complaints: readonly string[];
}

const METHODS = [
  ...['PROPFIND', 'PROPFIND', 'PUT', 'PUT', 'GET', 'HEAD', 'DELETE', 'MKCOL', 'COPY', 'MOVE', 'MOVE', 'LOCK', 'LOCK'],
  ...['UNLOCK', 'PROPPATCH', 'PROPPATCH', 'OPTIONS', 'POST', 'REPORT', 'TRACE'],
];
const PATHS = [
  ...['/', '/My%20files', '/My%20files/', '/Shared%20with%20me', '/Shared%20with%20me/x', '/My%20files/Photos/'],
  ...[
    '/My%20files/Photos/file%201.txt',
    '/My%20files/Work/file%202.txt',
    '/My%20files/School/Old',
    '/My%20files/new.txt',
  ],
  ...['/My%20files/Music/._file%201.txt', '/My%20files/Work/new%20folder', '/My%20files/out/canary.txt'],
];
const BODIES = [
  '',
  '<propfind xmlns="DAV:"><allprop/></propfind>',
  '<propfind xmlns="DAV:"><propname/></propfind>',
  '<propfind xmlns="DAV:" xmlns:o="http://owncloud.org/ns"><prop><getetag/><o:size/><o:checksums/><x xmlns="y"/></prop></propfind>',
  '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="y">1</x></prop></set><remove><prop><z xmlns=""/></prop></remove></propertyupdate>',
  '<propertyupdate xmlns="DAV:"><set><prop><getlastmodified>Sun, 09 Sep 2001 01:46:40 GMT</getlastmodified></prop></set></propertyupdate>',
  '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>x</owner></lockinfo>',
  '<lockinfo xmlns="DAV:"><lockscope><shared/></lockscope><locktype><write/></locktype></lockinfo>',
  '<!DOCTYPE x [<!ENTITY a "b">]><propfind xmlns="DAV:"/>',
  '<propfind xmlns="DAV:"><prop>',
  `<x>${'<y>'.repeat(150)}`,
];
/** The bodies that a method is meant to have, among those. */
const SENSIBLE: Readonly<Record<string, readonly number[]>> = {
  PROPFIND: [0, 1, 2, 3],
  PROPPATCH: [4, 5],
  LOCK: [6, 7],
};
const TOKENS = [
  '(<urn:uuid:1>)',
  '(Not <DAV:no-lock>)',
  '(["x"])',
  '<http://x/> (<a>)',
  '((',
  '<>',
  '(<a> Not ["b"]) (["c"])',
];

/** Requests with sensible and hostile values in every place. What may never come is the same as for the API. */
export async function fuzzWebdav({ requests, seed }: { requests: number; seed: number }): Promise<DavFuzzReport> {
  const ground = await Ground.open();
  const agent = new Agent({ connect: { rejectUnauthorized: false }, connections: 8, bodyTimeout: 30_000 });
  const random = new Random(seed);
  const statuses = new Map<string, number>();
  const complaints: string[] = [];
  try {
    const dav = await davClient(ground.api);
    const tokens: string[] = [];
    const one = async () => {
      const method = random.pick(METHODS);
      const isSensible = random.chance(0.7);
      const path = isSensible ? random.pick(PATHS) : pathOf(random);
      const headers: Record<string, string> = { authorization: dav.authorization };
      const sometimes = (name: string, values: readonly string[], chance = 0.3) => {
        if (random.chance(chance)) headers[name] = random.pick(values);
      };
      if (isSensible && method === 'PROPFIND') headers.depth = random.pick(['0', '1']);
      if (!isSensible) sometimes('depth', ['0', '1', 'infinity', '2', ' 0', random.pick(HOSTILE_TEXTS)], 0.7);
      if (method === 'COPY' || method === 'MOVE') {
        const to = isSensible ? `/My%20files/moved%20${random.below(1_000)}.txt` : pathOf(random);
        sometimes(
          'destination',
          isSensible
            ? [`/dav${to}`, `${dav.base}/dav${to}`]
            : [`/dav${to}`, `https://x/dav${to}`, random.pick(HOSTILE_PATHS)],
          0.95,
        );
        sometimes('overwrite', ['T', 'F', 'x']);
      }
      sometimes('if', [...TOKENS, ...tokens.map((token) => `(<${token}>)`), random.pick(HOSTILE_TEXTS)], 0.2);
      sometimes(
        'lock-token',
        ['<urn:uuid:1>', ...tokens.map((token) => `<${token}>`), 'x'],
        method === 'UNLOCK' ? 0.9 : 0.02,
      );
      sometimes('timeout', ['Second-5', 'Infinite', 'Second-99999999999', 'x']);
      sometimes('if-match', ['*', '"x"', 'x'], 0.1);
      sometimes('if-none-match', ['*', '"x"', 'x'], 0.1);
      sometimes('x-oc-mtime', ['1', '-1', 'x', '99999999999999'], 0.1);
      sometimes('oc-checksum', ['MD5:x', 'SHA1:00', 'ADLER32:00000001', 'X:1'], 0.1);
      sometimes('content-range', ['bytes 0-3/4', 'bytes */4', 'x', random.pick(HOSTILE_TEXTS)], 0.05);
      sometimes('x-expected-entity-length', ['4', '0', '-1', '1e3', '99999999999999999999', 'x'], 0.1);
      sometimes('range', ['bytes=0-3', 'bytes=9-1', 'bytes=-', 'bytes=0-0,2-3'], 0.1);
      for (const name of Object.keys(headers))
        headers[name] = (headers[name] ?? '').replace(/[^\x20-\x7e]/g, '?').slice(0, 2_000);
      const meant = (SENSIBLE[method] ?? [0]).map((index) => BODIES[index] ?? '');
      const text = random.pick(isSensible ? meant : [...BODIES, random.pick(HOSTILE_TEXTS)]);
      const body = method === 'PUT' ? randomBytes(random.below(5_000)) : text;
      const told = `${method} ${path} ${JSON.stringify(headers).slice(0, 300)}`;
      try {
        // Not by its URL, in which `..` would be resolved before it is sent.
        const response = await agent.request({
          origin: ground.api.base,
          path: `/dav${path}`,
          method: method as 'GET',
          headers,
          body: method === 'GET' || method === 'HEAD' || method === 'TRACE' ? null : body,
          headersTimeout: 30_000,
        });
        const reply = await response.body.text();
        const key = `${method} ${response.statusCode}`;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
        if (response.statusCode >= 500 && ![502, 507].includes(response.statusCode))
          complaints.push(`${told}: ${key} ${reply.slice(0, 300)}`);
        const tells = method === 'GET' ? null : ground.tellsTooMuch(reply, { mayNameFolders: false });
        if (tells !== null) complaints.push(`${told}: ${tells}: ${reply.slice(0, 300)}`);
        const token = /<([^>]+)>/.exec(String(response.headers['lock-token'] ?? ''))?.[1];
        if (token !== undefined) tokens.splice(0, Math.max(0, tokens.length - 5), token);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (!['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_INVALID_ARG'].includes(code))
          complaints.push(`${told}: no answer (${String(error)})`);
      }
    };
    for (let left = requests; left > 0 && complaints.length < 20; left -= 200) {
      await ground.replenish();
      let some = Math.min(left, 200);
      const lane = async () => {
        while (some > 0) {
          some -= 1;
          await one();
        }
      };
      await Promise.all(Array.from({ length: 8 }, lane));
    }
    return { statuses, complaints: [...complaints, ...(await ground.damages())] };
  } finally {
    await agent.destroy();
    await ground.remove();
  }
}

function pathOf(random: Random): string {
  if (random.chance(0.75)) return random.pick(PATHS);
  const hostile = random.pick(random.chance(0.7) ? HOSTILE_PATHS : HOSTILE_TEXTS).slice(0, 4_000);
  const name =
    random.chance(0.5) && hostile.isWellFormed()
      ? encodeURIComponent(hostile)
      : hostile.replace(/[^\x21-\x7e]/g, '%20');
  return `/My%20files/${name.replaceAll('#', '%23').replaceAll('?', '%3F')}`;
}
