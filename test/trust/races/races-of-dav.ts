import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reply } from '../../support/requests/api-client.ts';
import { type Arena, expectTold, type Race, RUNNERS, together, told } from './races.ts';

/** A folder of this round, on the disk and as an address of WebDAV. */
async function box({ installation, round }: Arena, name: string): Promise<{ real: string; at: string }> {
  const real = join(installation.home, `dav ${name} ${round}`);
  await mkdir(real);
  return { real, at: `/dav/My%20files/dav%20${name}%20${round}` };
}

type Headers = Record<string, string>;

function dav({ api }: Arena, method: string, path: string, headers: Headers = {}, body?: string): Promise<Reply> {
  return api.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

const LOCK = `<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>`;
const lock = (arena: Arena, path: string) => dav(arena, 'LOCK', path, { depth: '0', timeout: 'Second-600' }, LOCK);
const unlock = (arena: Arena, path: string, token: string) =>
  dav(arena, 'UNLOCK', path, { 'lock-token': `<${token}>` });
const tokenOf = ({ headers }: Reply) => /<([^>]+)>/.exec(headers['lock-token'] ?? '')?.[1];
const over = { overwrite: 'T' };
const not = { overwrite: 'F' };

/** WebDAV from many clients at one path. */
export const DAV_RACES: Readonly<Record<string, Race>> = {
  'an exclusive lock asked for many times': async (arena) => {
    const { real, at } = await box(arena, 'locks');
    await writeFile(join(real, 'a.txt'), 'x');
    const replies = await together(() => lock(arena, `${at}/a.txt`));
    const wrong = expectTold(replies, '200: 1, 423: 19');
    if (wrong !== null) return wrong;
    const token = replies.map(tokenOf).find((one) => one !== undefined) ?? '';
    const ended = await together(() => unlock(arena, `${at}/a.txt`, token));
    return ended.filter(({ status }) => status === 204).length === 1 && ended.every(({ status }) => status < 500)
      ? null
      : `unlocked ${told(ended)}`;
  },

  'a lock of a name without a file, asked for many times': async (arena) => {
    const { real, at } = await box(arena, 'new locks');
    const replies = await together(() => lock(arena, `${at}/new.txt`));
    const held = replies.filter((reply) => reply.status < 300);
    if (held.length !== 1 || replies.some(({ status }) => status >= 500)) return told(replies);
    const names = await readdir(real);
    return names.length === 1 ? null : `there are ${names}`;
  },

  'a folder made many times with MKCOL': async (arena) => {
    const { real, at } = await box(arena, 'folders');
    const replies = await together(() => dav(arena, 'MKCOL', `${at}/same`));
    const spelt = await together((n) => dav(arena, 'MKCOL', `${at}/${n % 2 === 0 ? 'Other' : 'oTHER'}`));
    const names = await readdir(real);
    if (names.length !== 2) return `there are ${names}`;
    // Another spelling is a conflict.
    const wrong = spelt.filter(({ status }) => ![201, 405, 409].includes(status));
    return wrong.length > 0 ? told(wrong) : expectTold(replies, '201: 1, 405: 19');
  },

  'many moved to one free name': async (arena) => {
    const { real, at } = await box(arena, 'moves');
    await together((n) => writeFile(join(real, `${n}.txt`), `content ${n}`));
    const replies = await together((n) =>
      dav(arena, 'MOVE', `${at}/${n}.txt`, { destination: `${at}/winner.txt`, ...not }),
    );
    const contents = await contentsOf(real);
    return contents.size === RUNNERS ? expectTold(replies, '201: 1, 412: 19') : `${contents.size} contents are left`;
  },

  'DELETE against MOVE': async (arena) => {
    const { real, at } = await box(arena, 'deletes');
    await together((n) => writeFile(join(real, `${n}.txt`), `content ${n}`));
    const pairs = await together((n) =>
      Promise.all([
        dav(arena, 'DELETE', `${at}/${n}.txt`),
        dav(arena, 'MOVE', `${at}/${n}.txt`, { destination: `${at}/${n}%20new.txt`, ...over }),
      ]),
    );
    const failed = pairs.flat().filter(({ status }) => status >= 500);
    if (failed.length > 0) return told(failed);
    const there = await contentsOf(real);
    for (const [n, [deleted, moved]] of pairs.entries()) {
      const [isDeleted, isMoved] = [deleted.status < 300, moved.status < 300];
      if (isDeleted === isMoved) return `${n}: DELETE said ${deleted.status}, MOVE ${moved.status}`;
      if (there.has(`content ${n}`) !== isMoved) return `${n}: the content is not where the replies say`;
    }
    return null;
  },

  'everything at one name': async (arena) => {
    const { real, at } = await box(arena, 'all');
    await together((n) => writeFile(join(real, `${n}.txt`), `from ${n}`));
    const path = `${at}/one`;
    const acknowledged: string[] = [];
    const replies = await together(async (n) => {
      const kind = n % 5;
      if (kind === 0) {
        const reply = await lock(arena, path);
        const token = tokenOf(reply);
        return token === undefined ? reply : unlock(arena, path, token);
      }
      if (kind === 1) return dav(arena, 'MKCOL', path);
      if (kind === 2) return dav(arena, 'DELETE', path);
      if (kind === 3) return dav(arena, 'MOVE', `${at}/${n}.txt`, { destination: path, ...not });
      const reply = await dav(arena, 'PUT', path, { 'if-none-match': '*' }, `put ${n}`);
      if (reply.status < 300) acknowledged.push(`put ${n}`);
      return reply;
    });
    if (replies.some(({ status }) => status >= 500)) return told(replies);
    const kept = await everywhere(arena, real);
    // What was stored may have been deleted since, into the trash.
    const moved = Array.from({ length: RUNNERS }, (_, n) => `from ${n}`);
    const lost = [...moved, ...acknowledged].filter((content) => !kept.has(content));
    return lost.length === 0 ? null : `nowhere any more: ${lost}; ${told(replies)}`;
  },
};

/** The contents below a folder and in the trash. */
async function everywhere({ installation }: Arena, real: string): Promise<Set<string>> {
  const trash = join(installation.folder, '.larder', 'trash');
  return new Set([...(await contentsOf(real)), ...(await contentsOf(trash))]);
}

async function contentsOf(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Set(await Promise.all(files.map((file) => readFile(file, 'utf8'))));
}
