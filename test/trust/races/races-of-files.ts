import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { offsetOf, sendChunk } from '../../support/requests/chunks.ts';
import { idOf } from '../../support/requests/links.ts';
import { type Arena, expectTold, type Race, RUNNERS, together, told } from './races.ts';

const KILOBYTE = 1_024;
const HOME = '/ROOT/HOME';

/** A folder of this round, on the disk and as a path of the API. */
async function box({ installation, round }: Arena, name: string): Promise<{ real: string; path: string }> {
  const real = join(installation.home, `${name} ${round}`);
  await mkdir(real);
  return { real, path: `${HOME}/${name} ${round}` };
}

export const FILE_RACES: Readonly<Record<string, Race>> = {
  'uploads that together are more than the quota': async ({ installation, people, round }) => {
    const { api, home } = people.withQuota;
    const one = 256 * KILOBYTE;
    const path = (n: number) => `${HOME}/${round}-${n}.bin`;
    const replies = await together((n) => api.put({ path: path(n) }, Buffer.alloc(one, n)));
    const real = join(installation.folder, 'homes', home);
    const names = (await readdir(real)).filter((name) => name.endsWith('.bin'));
    const sizes = await Promise.all(names.map((name) => stat(join(real, name))));
    const sum = sizes.reduce((all, { size }) => all + size, 0);
    // Room for the next round.
    await together((n) => api.post('files/delete', { path: path(n), permanent: 1 }));
    if (sum !== 8 * one) return `${sum} bytes on the disk`;
    return expectTold(replies, '201: 8, 507: 12');
  },

  'a link for one download': async (arena) => {
    const { real, path } = await box(arena, 'link');
    await writeFile(join(real, 'a.txt'), 'the only one');
    const id = idOf(await arena.api.post('files/weblink', { path: `${path}/a.txt`, singleDownload: 1 }));
    const replies = await together(() => arena.people.nobody.send('GET', `/wl/?id=${id}&fmode=download`));
    const had = replies.filter(({ text }) => text.includes('the only one'));
    return had.length === 1 ? expectTold(replies, '200: 1, 410: 19') : `${had.length} had the content`;
  },

  'a standing link made many times': async (arena) => {
    const { real, path } = await box(arena, 'standing');
    await writeFile(join(real, 'a.txt'), 'x');
    const replies = await together(() => arena.api.post('files/weblink', { path: `${path}/a.txt` }));
    const created = replies.filter(({ body }) => body.data?.status === 'created').length;
    const urls = new Set(replies.map(({ body }) => body.data?.url));
    if (created !== 1 || urls.size !== 1) return `${created} created, ${urls.size} addresses`;
    return expectTold(replies, '200: 20');
  },

  'a folder made many times': async (arena) => {
    const { real, path } = await box(arena, 'folders');
    const replies = await together((n) =>
      arena.api.post('files/createfolder', { path, name: n % 2 === 0 ? 'Same' : 'sAME' }),
    );
    const names = await readdir(real);
    return names.length === 1 ? expectTold(replies, '200: 1, 409: 19') : `there are ${names}`;
  },

  'a new file sent many times': async (arena) => {
    const { real, path } = await box(arena, 'same');
    const contents = Array.from({ length: RUNNERS }, () => randomBytes(100 * KILOBYTE));
    const file = `${path}/a.bin`;
    const replies = await together((n) => arena.api.put({ path: file }, contents[n] ?? null));
    const wrong = expectTold(replies, '200: 19, 201: 1');
    if (wrong !== null) return wrong;
    const onDisk = await readFile(join(real, 'a.bin'));
    const last = replies.findIndex(({ body }) => body.data.version === RUNNERS);
    if (!contents[last]?.equals(onDisk)) return 'the last version is not what is on the disk';
    for (const [n, { body }] of replies.entries()) {
      const { bytes } = await arena.api.get('files/download', { path: file, version: body.data.version });
      if (!contents[n]?.equals(bytes)) return `version ${body.data.version} is not what was sent`;
    }
    return null;
  },

  'a piece of an upload sent many times': async (arena) => {
    const { real, path } = await box(arena, 'pieces');
    const content = randomBytes(200 * KILOBYTE);
    const half = 100 * KILOBYTE;
    const uploadId = randomBytes(16).toString('hex');
    // The newest one ends those before it, whose clients are taken for gone.
    const send = (start: number) =>
      together(() =>
        sendChunk(arena.api, `${path}/a.bin`, content, start, start + half, { uploadId }).catch(() => ({ status: 0 })),
      );
    const first = await send(0);
    if (!first.some(({ status }) => status === 200)) return `no first piece came: ${told(first)}`;
    const offset = await offsetOf(arena.api, `${path}/a.bin`, { uploadId });
    if (offset !== half) return `${offset} bytes after the first piece`;
    const second = await send(half);
    const done = second.filter(({ status }) => status === 201).length;
    if (done !== 1) return `the last piece was taken ${done} times: ${told(second)}`;
    return content.equals(await readFile(join(real, 'a.bin'))) ? null : 'another content than was sent';
  },

  'many renamed to one name': async (arena) => {
    const { real, path } = await box(arena, 'renames');
    await together((n) => writeFile(join(real, `${n}.txt`), `content ${n}`));
    const replies = await together((n) =>
      arena.api.post('files/rename', { path: `${path}/${n}.txt`, newName: 'winner.txt' }),
    );
    const contents = await contentsOf(real);
    return contents.size === RUNNERS ? expectTold(replies, '200: 1, 409: 19') : `${contents.size} contents are left`;
  },

  'many moved to one place, over what is there': async (arena) => {
    const { real, path } = await box(arena, 'moves');
    await mkdir(join(real, 'to'));
    await together(async (n) => {
      await mkdir(join(real, `${n}`));
      await writeFile(join(real, `${n}`, 'a.txt'), `content ${n}`);
    });
    const replies = await together((n) =>
      arena.api.post('files/move', { path: `${path}/${n}/a.txt`, moveTo: `${path}/to`, overwrite: 1 }),
    );
    const { body } = await arena.api.get('files/versions/list', { path: `${path}/to/a.txt` });
    const versions: { version: number }[] = body.data?.versions ?? [];
    const contents = await Promise.all(
      versions.map(({ version }) => arena.api.get('files/download', { path: `${path}/to/a.txt`, version })),
    );
    const kept = new Set(contents.map(({ text }) => text)).add(await readFile(join(real, 'to', 'a.txt'), 'utf8'));
    return kept.size === RUNNERS ? expectTold(replies, '200: 20') : `${kept.size} contents are kept, ${told(replies)}`;
  },

  'delete against rename': async (arena) => {
    const { real, path } = await box(arena, 'delete');
    await together((n) => writeFile(join(real, `${n}.txt`), `content ${n}`));
    const outcomes = await together(async (n) => {
      const from = { path: `${path}/${n}.txt` };
      const [deleted, renamed] = await Promise.all([
        arena.api.post('files/delete', from),
        arena.api.post('files/rename', { ...from, newName: `${n} new.txt` }),
      ]);
      if (deleted.status === 200) {
        const back = await arena.api.post('files/trash/restore', { path: deleted.body.data.trash_path });
        if (back.status !== 200) return `${n}: deleted, and not in the trash`;
      }
      const isBoth = deleted.status === 200 && renamed.status === 200;
      return isBoth || (deleted.status !== 200 && renamed.status !== 200)
        ? `${n}: delete said ${deleted.status}, rename ${renamed.status}`
        : null;
    });
    const contents = await contentsOf(real);
    if (contents.size !== RUNNERS) return `${contents.size} contents are left`;
    return outcomes.find((outcome) => outcome !== null) ?? null;
  },

  'folders moved into each other, in a ring': async (arena) => {
    const { real, path } = await box(arena, 'ring');
    const ring = ['a', 'b', 'c'];
    for (const name of ring) {
      await mkdir(join(real, name, 'deep', 'deeper'), { recursive: true });
      await writeFile(join(real, name, `${name}.txt`), name);
    }
    const replies = await together((n) => {
      const [from = '', to = ''] = [ring[n % 3], ring[(n + 1 + Math.floor(n / 3)) % 3]];
      return arena.api.post('files/move', { path: `${path}/${from}`, moveTo: `${path}/${to}/deep/deeper` });
    });
    const names = await readdir(real, { recursive: true });
    const lost = ring.filter((name) => !names.some((one) => one.endsWith(`${name}/${name}.txt`)));
    if (lost.length > 0) return `nobody gets to ${lost} any more: ${told(replies)}`;
    const moved = replies.filter(({ status }) => status === 200).length;
    const { body } = await arena.api.get('files/browse', { path, recursive: 1, itemType: 'files' });
    if (body.data.files.length !== 3) return `${body.data.files.length} of 3 are listed`;
    return moved > 2 || replies.some(({ status }) => status >= 500) ? told(replies) : null;
  },

  'a star set and taken many times': async (arena) => {
    const { real, path } = await box(arena, 'stars');
    await writeFile(join(real, 'a.txt'), 'x');
    const wrong = expectTold(
      await together(() => arena.api.post('files/star', { path: `${path}/a.txt` })),
      '200: 1, 409: 19',
    );
    const taken = await together(() => arena.api.post('files/unstar', { path: `${path}/a.txt` }));
    return wrong ?? expectTold(taken, '200: 1, 409: 19');
  },
};

async function contentsOf(folder: string): Promise<Set<string>> {
  const names = await readdir(folder);
  return new Set(await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8'))));
}
