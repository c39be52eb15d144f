import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  copyFile,
  link,
  mkdir,
  open as openFile,
  readFile,
  rename,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { itemsIn } from '../support/households/items-in.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { davClient } from '../support/webdav/dav-client.ts';

let household: Household;
let api: ApiClient;
let name = '';
let count = 0;

const SIZE = 2_000;
const at = (file = name) => join(household.home, file);
const path = (file = name) => `/ROOT/HOME/${file}`;
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

const info = async (file = name) =>
  (await api.get('files/info', { path: path(file), details: ['etag', 'sha256'] })).body.data;
const tagOf = async (file = name): Promise<string> => (await info(file)).etag;
const download = (headers: Record<string, string> = {}, file = name): Promise<Reply> =>
  api.send('GET', `/api.php/files/download?path=${encodeURIComponent(path(file))}`, { headers });
const upload = (headers: Record<string, string>, content: string, file = name): Promise<Reply> =>
  api.send('PUT', `/api.php/files/upload?path=${encodeURIComponent(path(file))}`, { headers, body: content });

/** Waits until all files were read, without requests, which come first. */
const allProven = (of: Pick<Household, 'folder'>) =>
  expect
    .poll(() => itemsIn(of.folder, 'is_dir = 0 AND parent_id IS NOT NULL AND (sha256 IS NULL OR touched < 0)'))
    .toEqual([]);

/** Waits until the server knows that the file has the content of a tag. */
const proven = (tag: string, file = name) =>
  expect.poll(async () => (await download({ 'if-none-match': tag }, file)).status).toBe(304);

beforeAll(async () => {
  household = await openHousehold({ config: { hashDelay: 0.1, hashRate: 1_000 } });
  api = await household.signIn();
});
afterAll(() => household.close());

/** What other programs do, with the path of a file and that of another one of the same size and time. */
type Means = (file: string, other: string) => Promise<unknown> | unknown;
const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });
const shell = (script: string) => (file: string, other: string) => run('sh', '-c', script, file, other);

/** Each leaves other bytes, of the same length. */
const WRITING: Readonly<Record<string, Means | null>> = {
  'written in place': async (file) => {
    const handle = await openFile(file, 'r+');
    await handle.write('x', 1_000);
    await handle.close();
  },
  'written from the beginning': (file) => writeFile(file, 'b'.repeat(SIZE)),
  'emptied and filled again': async (file) => {
    await truncate(file, 0);
    await truncate(file, SIZE);
  },
  'appended to after it was cut': async (file) => {
    await truncate(file, SIZE - 1);
    await writeFile(file, 'b', { flag: 'a' });
  },
  'written through another name': async (file) => {
    await link(file, `${file} too`);
    await writeFile(`${file} too`, 'b'.repeat(SIZE));
    await rm(`${file} too`);
  },
  'replaced by another file': (file, other) => rename(other, file),
  'replaced by another file that stays': async (file, other) => {
    await rm(file);
    await link(other, file);
  },
  'copied over': (file, other) => copyFile(other, file),
  'copied over with cp -p': shell('cp -p "$1" "$0"'),
  'copied over with cat': shell('cat "$1" > "$0"'),
  'copied over with dd': shell('dd if="$1" of="$0" conv=notrunc bs=512 2>/dev/null'),
  'written with tee': shell('tee "$0" < "$1" > /dev/null'),
  'edited with sed': shell('sed -i s/a/b/ "$0"'),
  'extracted with tar': shell(
    'cd "$(dirname "$1")" && cp -p "$1" "$1.d" && tar -cf - --transform "s,.*,$(basename "$0")," "$(basename "$1")" | tar -xf - -C "$(dirname "$0")" && rm "$1.d"',
  ),
  'edited with perl': has('perl') ? shell('perl -pi -e s/a/b/ "$0"') : null,
  'written with pwrite': has('python3')
    ? (file) => run('python3', '-c', 'import os,sys; f=os.open(sys.argv[1],os.O_RDWR); os.pwrite(f,b"x",5)', file)
    : null,
  'written through mapped memory': has('python3')
    ? (file) =>
        run(
          'python3',
          '-c',
          'import mmap,sys; f=open(sys.argv[1],"r+b"); m=mmap.mmap(f.fileno(),0); m[3:4]=b"x"; m.flush()',
          file,
        )
    : null,
  'written without the cache': has('dd')
    ? shell('dd if=/dev/zero of="$0" conv=notrunc bs=100 count=1 oflag=sync 2>/dev/null')
    : null,
  'synchronized in place with rsync': has('rsync') ? shell('rsync --inplace -tI "$1" "$0"') : null,
  'synchronized with rsync': has('rsync') ? shell('rsync -tI "$1" "$0"') : null,
  'partly zeroed': has('fallocate')
    ? shell('fallocate -z -o 100 -l 100 "$0" || printf x | dd of="$0" conv=notrunc 2>/dev/null')
    : null,
};

/** Each changes no byte, but what the disk tells of the file. */
const TOUCHING: Readonly<Record<string, Means | null>> = {
  'other permissions': (file) => chmod(file, 0o640),
  'the same permissions': (file) => chmod(file, 0o644),
  'another owner': process.getuid?.() === 0 ? shell('chown 1 "$0"') : null,
  'an extended attribute': has('setfattr') ? shell('setfattr -n user.note -v text "$0"') : null,
  'another name for the same file': (file) => link(file, join(household.folder, `link ${++count}`)),
  'the same times again': (file) => run('touch', '-r', file, file),
  'a new file with the same bytes': shell('cp -p "$0" "$0 too" && mv "$0 too" "$0"'),
  'another name, and back': shell('mv "$0" "$0 too" && mv "$0 too" "$0"'),
  'the same bytes again': shell('cp -p "$0" "$1.b" && cat "$1.b" > "$0" && touch -r "$1.b" "$0" && rm "$1.b"'),
};

const possible = (all: Readonly<Record<string, Means | null>>) =>
  Object.entries(all).filter((one): one is [string, Means] => one[1] !== null);

/** A file in a folder of its own, and what another program does with it. */
interface Case {
  readonly what: string;
  readonly file: string;
  readonly other: string;
  readonly reference: string;
  tag: string;
}

const LETTERS = 'a'.repeat(SIZE);

/** Files of an hour ago with the same bytes, which the server has received, beside another one of the same size and time. */
async function casesOf(all: readonly (readonly [string, Means])[]): Promise<Case[]> {
  const lastModified = Math.floor(Date.now() / 1_000) - 3_600;
  return Promise.all(
    all.map(async ([what]) => {
      const number = ++count;
      const [file, other, reference] = [`file ${number}.txt`, `other ${number}`, `reference ${number}`] as const;
      await api.put({ path: path(file), lastModified }, LETTERS);
      await writeFile(join(household.folder, other), 'b'.repeat(SIZE));
      await writeFile(join(household.folder, reference), '');
      for (const one of [other, reference]) execFileSync('touch', ['-r', at(file), join(household.folder, one)]);
      const tag = await tagOf(file);
      expect((await download({ 'if-none-match': tag }, file)).status).toBe(304);
      return { what, file, other: join(household.folder, other), reference: join(household.folder, reference), tag };
    }),
  );
}

describe('files whose size and time stay the same', () => {
  it('have another content when another program has written, by any means', async () => {
    const cases = await casesOf(possible(WRITING));
    const program = await davClient(api);
    const before = `SHA256:${createHash('sha256').update(LETTERS).digest('hex')}`;
    for (const { what, file, other, reference, tag } of cases) {
      await WRITING[what]?.(at(file), other);
      execFileSync('touch', ['-r', reference, at(file)]);
      const content = await readFile(at(file));
      expect([content.length, content.equals(Buffer.from(LETTERS))], what).toEqual([SIZE, false]);
      const dav = await program.send('GET', `/My%20files/${encodeURIComponent(file)}`);
      expect([dav.bytes.equals(content), dav.headers['oc-checksum'] === before], what).toEqual([true, false]);
      const part = await download({ range: 'bytes=1-2', 'if-range': tag }, file);
      expect([part.status, part.bytes.equals(content)], what).toEqual([200, true]);
      const whole = await download({ 'if-none-match': tag }, file);
      expect([whole.status, whole.bytes.equals(content)], what).toEqual([200, true]);
      expect((await upload({ 'if-match': tag }, 'new', file)).body.code, what).toBe('precondition_failed');
      expect(await readFile(at(file)), what).toEqual(content);
    }
    await allProven(household);
    for (const { what, file, tag } of cases) {
      const sha256 = createHash('sha256')
        .update(await readFile(at(file)))
        .digest('hex');
      const now = await info(file);
      expect([now.sha256, now.etag === tag], what).toEqual([sha256, false]);
      expect((await download({ 'if-none-match': now.etag }, file)).status, what).toBe(304);
      expect((await download({ 'if-none-match': tag }, file)).status, what).toBe(200);
      expect((await upload({ 'if-match': now.etag }, 'new', file)).status, what).toBe(200);
    }
  });

  it('keep their tags when another program has changed no byte', async () => {
    const cases = await casesOf(possible(TOUCHING));
    for (const { what, file, other } of cases) await TOUCHING[what]?.(at(file), other);
    // Half of them are read for who asks, the others in the background.
    for (const { file, tag } of cases.slice(0, 5)) await proven(tag, file);
    await allProven(household);
    for (const { what, file, tag } of cases) {
      expect(await tagOf(file), what).toBe(tag);
      expect((await download({ 'if-none-match': tag }, file)).status, what).toBe(304);
      const reply = await upload({ 'if-match': tag }, 'new', file);
      expect(reply.status, `${what} ${reply.text}`).toBe(200);
    }
  });
});

describe('what Larder does itself', () => {
  beforeEach(async () => {
    name = `own ${++count}.txt`;
    await api.put({ path: path() }, 'own');
  });

  it('with a name, a folder or the time of a file keeps its tag, and proven', async () => {
    const tag = await tagOf();
    const renamed = `renamed ${count}.txt`;
    await api.post('files/rename', { path: path(), newName: renamed });
    name = renamed;
    expect([await tagOf(), (await download({ 'if-none-match': tag })).status]).toEqual([tag, 304]);
    await mkdir(at(`folder ${count}`));
    await api.post('files/move', { path: path(), moveTo: path(`folder ${count}`) });
    name = `folder ${count}/${renamed}`;
    expect([await tagOf(), (await download({ 'if-none-match': tag })).status]).toEqual([tag, 304]);
    // The same bytes with another time.
    const { body } = await api.put({ path: path(), lastModified: 1_500_000_000 }, 'own');
    expect(body).toMatchObject({ data: { unchanged: true } });
    expect([await tagOf(), (await download({ 'if-none-match': tag })).status]).toEqual([tag, 304]);
  });

  it('with another content gives it another tag, also of the same size and time', async () => {
    const tags = new Set<string>();
    for (const content of ['one', 'two', 'one']) {
      const { headers } = await api.put({ path: path(), lastModified: 1_500_000_000 }, content);
      expect((await download({ 'if-none-match': String(headers.etag) })).status).toBe(304);
      tags.add(String(headers.etag));
    }
    expect(tags.size).toBe(3);
  });

  it('with the trash keeps the tag', async () => {
    const tag = await tagOf();
    const { body } = await api.post('files/delete', { path: path() });
    await api.post('files/trash/restore', { path: body.data.trash_path });
    await proven(tag);
    expect(await tagOf()).toBe(tag);
  });
});

it('a tree that is copied to another disk, or linked by a backup, keeps all of its tags', async () => {
  const files = ['tree/a.txt', 'tree/below/b.txt'];
  await mkdir(at('tree/below'), { recursive: true });
  for (const [index, file] of files.entries()) {
    await api.put({ path: path(file) }, `content ${index}`);
  }
  const tags = await Promise.all(files.map((file) => tagOf(file)));
  run('cp', '-al', at('tree'), join(household.folder, 'backup'));
  run('chmod', '-R', 'go-rwx', at('tree'));
  for (const [index, file] of files.entries()) await proven(tags[index] ?? '', file);
  await household.whileStopped(async () => {
    run('cp', '-a', at('tree'), join(household.folder, 'copied'));
    run('rm', '-r', at('tree'));
    run('mv', join(household.folder, 'copied'), at('tree'));
  });
  api = await household.signIn();
  for (const folder of ['tree', 'tree/below']) await api.get('files/browse', { path: path(folder) });
  for (const [index, file] of files.entries()) await proven(tags[index] ?? '', file);
  expect(await Promise.all(files.map((file) => tagOf(file)))).toEqual(tags);
});

describe('a file that is too large to be read while a request waits', () => {
  it('meets no condition until it was read in the background, and has its tag again then', async () => {
    const large = await openHousehold({ config: { hashRate: 0 } });
    try {
      let client = await large.signIn();
      const file = join(large.home, 'large.bin');
      const content = Buffer.alloc(65 * 1_024 * 1_024, 1);
      const { headers } = await client.put({ path: path('large.bin') }, content);
      const tag = String(headers.etag);
      const ask = (condition: Record<string, string>) =>
        client.send('HEAD', `/api.php/files/download?path=${path('large.bin')}`, { headers: condition });
      expect((await ask({ 'if-none-match': tag })).status).toBe(304);
      await chmod(file, 0o600);
      await expect.poll(async () => (await ask({ 'if-none-match': tag })).status).toBe(200);
      const given = String((await ask({})).headers.etag);
      expect(given).not.toBe(tag);
      expect((await ask({ 'if-none-match': given })).status).toBe(200);
      const part = await client.send('GET', `/api.php/files/download?path=${path('large.bin')}`, {
        headers: { range: 'bytes=0-0', 'if-range': tag },
      });
      expect(part.status).toBe(200);
      const info = await client.get('files/info', { path: path('large.bin'), details: ['etag', 'sha256'] });
      expect(info.body.data).toMatchObject({ etag: tag, sha256: null });
      const refused = await client.send('POST', `/api.php/files/delete?path=${path('large.bin')}`, {
        headers: { 'if-match': tag },
      });
      expect(refused.body.code).toBe('precondition_failed');
      await large.restart({ hashDelay: 0.1, hashRate: 1_000 });
      client = await large.signIn();
      await allProven(large);
      expect((await ask({ 'if-none-match': tag })).status).toBe(304);
    } finally {
      await large.close();
    }
  });
});

it('what was made of an earlier content of the same size and time is made again', async () => {
  name = `found ${++count}.txt`;
  await api.put({ path: path() }, 'the word albatross');
  await utimes(at(), 1_600_000_000, 1_600_000_000);
  const found = async (word: string) =>
    (await api.post('files/search', { path: '/ROOT/HOME', contents: word })).body.data.files.length;
  await expect.poll(() => found('albatross')).toBe(1);
  await proven(await tagOf());
  await writeFile(at(), 'the word cormorant');
  await utimes(at(), 1_600_000_000, 1_600_000_000);
  await expect.poll(() => found('cormorant')).toBe(1);
  expect(await found('albatross')).toBe(0);
});

it('the thumbnail of a picture is another one after the picture was changed in place', async () => {
  name = `picture ${++count}.png`;
  const picture = async (background: string) =>
    sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png({ compressionLevel: 0 })
      .toBuffer();
  const [red, blue] = await Promise.all(['red', 'blue'].map(picture));
  expect(blue?.length).toBe(red?.length);
  await api.put({ path: path(), lastModified: 1_500_000_000 }, red as Buffer);
  const thumbnail = () => api.send('GET', `/api.php/files/thumbnail?path=${encodeURIComponent(path())}`);
  const before = await thumbnail();
  expect(before.status).toBe(200);
  await writeFile(at(), blue as Buffer);
  await utimes(at(), 1_500_000_000, 1_500_000_000);
  const isOther = async () => !(await thumbnail()).bytes.equals(before.bytes);
  // As soon as the server has seen it, and for good.
  await expect.poll(isOther).toBe(true);
  await allProven(household);
  expect(await isOther()).toBe(true);
  expect((await thumbnail()).headers.etag).not.toBe(before.headers.etag);
});
