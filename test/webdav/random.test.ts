import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampled } from '../support/forms.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

// Several programs and people do everything at once. No content that was confirmed is lost, and the catalogue agrees with the disk.

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
});
afterAll(() => household?.close());

const CLIENTS = 5;
const OPERATIONS = 80;

/** A generator with a seed, so that a failure can be repeated (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const FOLDERS = ['', '', '/one', '/two', '/one/deep'];
// None that operating systems store for themselves: earlier contents of those are not kept.
const NAMES = ['a.txt', 'b.txt', 'A.txt', '.a.txt', '\u00e9.txt', 'e\u0301.txt'];

async function contents(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Set(await Promise.all(files.map((file) => readFile(file, 'utf8'))));
}

it.each(sampled([1, 2], 1))('random concurrent requests lose nothing, with seed %i', async (seed) => {
  const name = await household.newBox();
  await household.share(`/ROOT/HOME/${name}`, { uid: household.ids.ben, upload: 1, alter: 1, download: 1 });
  await household.control('settings.update', { versionsKept: seed % 2 === 0 ? 0 : 1000 });
  const olga = `/My%20files/${name}`;
  const bens = `/Shared%20with%20me/Mia/${name}`;
  const programs: { dav: DavClient; at: string[] }[] = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    if (index === 0)
      programs.push({ dav: await davClient(household.as('olga'), { folder: `/ROOT/HOME/${name}` }), at: [''] });
    else if (index % 2 === 1) programs.push({ dav: await davClient(household.as('olga')), at: [olga] });
    else programs.push({ dav: await davClient(household.as('ben')), at: [bens, bens, '/My%20files'] });
  }
  const confirmed: string[] = [];
  const statuses = new Map<string, number>();
  await Promise.all(
    programs.map(async ({ dav, at }, client) => {
      const next = random(seed * 1_000 + client);
      const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
      const path = () => `${one(at)}${one(FOLDERS)}/${encodeURIComponent(one(NAMES))}`;
      const tokens: { path: string; token: string }[] = [];
      for (let index = 0; index < OPERATIONS; index += 1) {
        const headers: Record<string, string> = {};
        const held = tokens.length > 0 && next() < 0.5 ? one(tokens) : null;
        if (held !== null) headers.if = `<${dav.prefix}${held.path}> (<${held.token}>)`;
        const content = `content ${seed}.${client}.${index} ${'x'.repeat(Math.floor(next() ** 8 * 200_000))}`;
        const kind = one([
          'PUT',
          'PUT',
          'PUT',
          'MOVE',
          'MOVE',
          'COPY',
          'COPY',
          'DELETE',
          'MKCOL',
          'MKCOL',
          'MKCOL',
          'LOCK',
          'UNLOCK',
          'UNLOCK',
          'UNLOCK',
          'PROPPATCH',
          'PROPFIND',
          'GET',
        ]);
        const to = path();
        let status = 0;
        if (kind === 'PUT') {
          // What a program replaces within a minute itself would not be kept.
          household.clock.advance(60_000);
          status = (await dav.put(next() < 0.3 && held !== null ? held.path : to, content, headers)).status;
          if (status < 300) confirmed.push(content);
        } else if (kind === 'MOVE' || kind === 'COPY') {
          const from = next() < 0.15 ? `${one(at)}${one(FOLDERS.slice(2))}` : path();
          const onto = next() < 0.3 ? `${one(at)}${one(FOLDERS.slice(2))}` : to;
          status = (await dav.transfer(kind, from, onto, { ...headers, overwrite: one(['T', 'T', 'F']) })).status;
        } else if (kind === 'LOCK') {
          const target = next() < 0.2 ? `${one(at)}${one(FOLDERS.slice(2))}` : to;
          const lock = await dav.lock(target, {
            headers: { depth: one(['0', 'infinity']), timeout: 'Second-3600' },
            scope: one(['exclusive', 'shared']),
          });
          status = lock.status;
          if (status < 300) tokens.push({ path: target, token: lock.token });
        } else if (kind === 'UNLOCK') {
          const last = tokens.shift();
          if (last === undefined) continue;
          status = (await dav.send('UNLOCK', last.path, { headers: { 'lock-token': `<${last.token}>` } })).status;
        } else if (kind === 'PROPPATCH') {
          const body = `<propertyupdate xmlns="DAV:"><set><prop><getlastmodified>Wed, 04 Nov 2020 10:00:0${index % 10} GMT</getlastmodified><p xmlns="x">${index}</p></prop></set></propertyupdate>`;
          status = (await dav.send('PROPPATCH', to, { headers, body })).status;
        } else if (kind === 'PROPFIND') status = (await dav.propfind(`${one(at)}${one(FOLDERS)}`, '1')).status;
        else
          status = (
            await dav.send(kind, kind === 'MKCOL' || next() < 0.1 ? `${one(at)}${one(FOLDERS.slice(2))}` : to, {
              headers,
            })
          ).status;
        statuses.set(`${kind} ${status}`, (statuses.get(`${kind} ${status}`) ?? 0) + 1);
      }
    }),
  );
  expect([...statuses.keys()].filter((one) => / (5\d\d|0)$/.test(one))).toEqual([]);
  const stored = await contents(household.folder);
  expect(confirmed.filter((content) => !stored.has(content)).map((one) => one.slice(0, 20))).toEqual([]);
  expect(await household.control('doctor', {})).toMatchObject({ ok: true, problems: [] });
});
