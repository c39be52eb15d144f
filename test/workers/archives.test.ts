import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ArchiveListing, archiveJobs } from '../../dist/server/workers/archives/archive-jobs.js';
import { forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool, type PoolLimits } from '../../dist/server/workers/pool/worker-pool.js';
import { buildZip, DEFLATED, LINK, nameField, timeField, type ZipItem } from '../support/content/build-zip.ts';
import { encode } from '../support/content/encode.ts';
import { HOSTILE } from '../support/content/hostile-zips.ts';
import { treeOf } from '../support/content/tree.ts';
import { itInFull, oneOfEachKind } from '../support/forms.ts';
import { log, outcomeOf } from './support.ts';

const openPool = (limits: Partial<PoolLimits> = {}) =>
  createWorkerPool({ jobs: archiveJobs, log, limits, spawnWorker: () => forkWorker('archive-worker') });

let pool: ReturnType<typeof openPool>;
let place: string;
let file: string;

beforeAll(() => {
  // Only what hangs reaches it.
  pool = openPool({ deadline: 300_000 });
});
afterAll(() => pool.close());
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'larder-archive-'));
  file = join(place, 'a.zip');
});
afterEach(() => rm(place, { recursive: true, force: true }));

/** The archive as a server hands it over by its name. */
async function handed(zip: Buffer) {
  await writeFile(file, zip);
  const { ino, size, mtimeNs } = await stat(file, { bigint: true });
  return { paths: [file], identity: `${ino}.${size}.${mtimeNs}` };
}

const LIMITS = { maxDepth: 100, maxPath: 3_000 };

async function checked(zip: Buffer) {
  const archive = await handed(zip);
  const content = await pool.run('check', { archive, ...LIMITS });
  if ('hazard' in content) throw new Error(`${content.hazard} ${content.entry}`);
  return { archive, content };
}

async function unpacked(items: readonly ZipItem[], more = {}) {
  const job = await checked(buildZip(items, more));
  const folder = join(place, 'out');
  await mkdir(folder);
  expect(await pool.run('unpack', { ...job, folder, tree: 'tree' })).toEqual({ unpacked: true });
  return job.content;
}

const REASONS: Record<string, string> = { corrupt_file: 'corrupt', unsupported_media: 'unsupported' };

describe('an archive that is refused', () => {
  it.each(oneOfEachKind(HOSTILE, ({ code, reason }) => `${code} ${reason}`))(
    '$what: $code $reason',
    async ({ zip, code, reason }) => {
      const traces = () => ['/tmp/x', '/etc/cron.d/x'].map((path) => existsSync(path));
      const before = traces();
      const archive = await handed(zip());
      const folder = join(place, 'out');
      const work = async () => {
        const content = await pool.run('check', { archive, ...LIMITS });
        if ('hazard' in content) return content.hazard;
        await mkdir(folder);
        const result = await pool.run('unpack', { archive, content, folder, tree: 'tree' });
        return 'hazard' in result ? result.hazard : 'done';
      };
      let found = '';
      const outcome = await outcomeOf(work().then((said) => (found = said)));
      expect(outcome === 'done' ? found : outcome).toBe(reason ?? REASONS[code]);
      // Not even while it was looked at: nothing beside its own folder.
      expect((await readdir(place)).filter((name) => !['a.zip', 'out'].includes(name))).toEqual([]);
      expect(traces()).toEqual(before);
    },
  );
});

describe('an archive from which single entries are extracted', () => {
  it.each(oneOfEachKind(HOSTILE, ({ code, reason }) => `${code} ${reason}`))(
    'is refused, or yields nothing unsafe: $what: $code $reason',
    async ({ zip, code }) => {
      const archive = await handed(zip());
      const folder = join(place, 'out');
      await mkdir(folder);
      const outcome = await outcomeOf(
        pool.run('list', { archive }).then(async (listing) => {
          if ('hazard' in listing) return expect(code).toBe('unsafe_archive');
          for (const path of listing.paths) expect(path.split('/')).not.toContain('..');
          const entries = entriesOf(listing).slice(0, 64);
          expect(await pool.run('take', { archive, entries, folder })).toHaveProperty('intact');
        }),
      );
      if (outcome !== 'done') expect(outcome).toBe(REASONS[code]);
      expect((await readdir(place)).sort()).toEqual(['a.zip', 'out']);
      expect((await readdir(folder)).filter((name) => !/^\d+$/.test(name))).toEqual([]);
    },
  );

  const entriesOf = ({ offsets, sizes, packedSizes, crcs }: ArchiveListing) =>
    [...offsets].map((offset, index) => ({
      ...{ offset, size: sizes[index] ?? 0, packedSize: packedSizes[index] ?? 0, crc: crcs[index] ?? 0 },
    }));

  async function listed(items: readonly ZipItem[]) {
    const archive = await handed(buildZip(items));
    const listing = await pool.run('list', { archive });
    if ('hazard' in listing) throw new Error(`${listing.hazard} ${listing.entry}`);
    const entries = entriesOf(listing);
    return { archive, listing, entries };
  }

  it('yields the requested entries, stored, deflated or with data descriptors, but no damaged ones', async () => {
    const { archive, listing, entries } = await listed([
      { name: 'folder/' },
      { name: 'folder/a', content: 'stored' },
      { name: 'b', content: 'packed '.repeat(1_000), method: DEFLATED },
      { name: 'c', content: 'later', method: DEFLATED, descriptor: true },
      { name: 'empty' },
      { name: 'damaged', content: 'x', crc: 1 },
      { name: 'broken', content: 'x', method: DEFLATED, packed: Buffer.from([7, 7, 7]) },
    ]);
    expect(listing.paths).toEqual(['folder/a', 'b', 'c', 'empty', 'damaged', 'broken']);
    expect(listing.refused).toEqual([]);
    const folder = join(place, 'out');
    await mkdir(folder);
    const taken = await pool.run('take', { archive, entries: entries.toReversed(), folder });
    expect(taken).toEqual({ intact: [false, false, true, true, true, true] });
    expect(await readFile(join(folder, '5'), 'utf8')).toBe('stored');
    expect(await readFile(join(folder, '4'), 'utf8')).toBe('packed '.repeat(1_000));
    expect(await readFile(join(folder, '3'), 'utf8')).toBe('later');
    expect(await readFile(join(folder, '2'), 'utf8')).toBe('');
  });

  it('yields no more bytes than listed', async () => {
    const items = [
      { name: 'a', content: Buffer.alloc(9_000_000), method: DEFLATED },
      { name: 'b', content: 'x'.repeat(100_000) },
    ];
    const { archive, entries } = await listed(items);
    const folder = join(place, 'out');
    await mkdir(folder);
    const shorter = entries.map((entry) => ({ ...entry, size: 10 }));
    expect(await pool.run('take', { archive, entries: shorter, folder })).toEqual({ intact: [false, false] });
    const elsewhere = entries.map((entry) => ({ ...entry, offset: 5 }));
    await rm(folder, { recursive: true });
    await mkdir(folder);
    expect(await pool.run('take', { archive, entries: elsewhere, folder })).toEqual({ intact: [false, false] });
  });

  it('yields texts in UTF-8 only', async () => {
    const { archive, entries } = await listed([
      { name: 'a.json', content: '{"title":"Été"}', method: DEFLATED },
      { name: 'b.json', content: Buffer.from([0xff, 0xfe]) },
      { name: 'c.json', content: '{}', crc: 1 },
    ]);
    expect(await pool.run('texts', { archive, entries })).toEqual({ texts: ['{"title":"Été"}', null, null] });
  });

  it('reports errors of the disk', async () => {
    const { archive, entries } = await listed([{ name: 'a', content: 'x' }]);
    expect(await pool.run('take', { archive, entries, folder: join(place, 'none') })).toEqual({ errno: 'ENOENT' });
  });
});

describe('extracted content', () => {
  it('has default modes, regardless of those in the archive', async () => {
    const content = await unpacked([
      { name: 'setuid', content: 'x', mode: 0o104777 },
      { name: 'hidden', content: 'x', mode: 0o100000 },
      { name: 'folder/', mode: 0o041777 },
      { name: 'closed/', mode: 0o040000 },
      { name: 'closed/file', content: 'x' },
    ]);
    expect(content.paths).toEqual(['setuid', 'hidden', 'folder/', 'closed/', 'closed/file']);
    const umask = process.umask();
    for (const [name, mode] of [
      ['setuid', 0o666],
      ['hidden', 0o666],
      ['folder', 0o777],
      ['closed', 0o777],
    ] as const) {
      expect((await stat(join(place, 'out', 'tree', name))).mode & 0o7777, name).toBe(mode & ~umask);
    }
  });

  it('has the plausible times of the archive, and no others', async () => {
    const content = await unpacked([
      { name: 'exact', extra: timeField(1_600_000_001) },
      { name: 'local', date: new Date(2019, 5, 1, 12, 30, 8) },
      { name: 'future', extra: timeField(2_000_000_000) },
      { name: 'never', extra: timeField(0) },
      { name: 'early', extra: timeField(-86_400), date: new Date(1980, 0, 1) },
      { name: 'unsigned', extra: timeField(-86_400), date: new Date(2106, 1, 6) },
    ]);
    expect([...content.times]).toEqual([
      1_600_000_001_000,
      new Date(2019, 5, 1, 12, 30, 8).getTime(),
      Number.NaN,
      Number.NaN,
      -86_400_000,
      Number.NaN,
    ]);
  });

  it('has names in UTF-8, with and without the flag, and in CP437', async () => {
    const content = await unpacked([
      { name: 'größe 😀' },
      { name: Buffer.from('Küche'), flags: 0 },
      { name: Buffer.from([0x4b, 0x81, 0x63, 0x68, 0x65, 0x32]) },
      { name: 'other', extra: nameField('other', 'Größe') },
      { name: 'renamed', extra: nameField('before', 'Größe') },
    ]);
    const names = ['größe 😀', 'Küche', 'Küche2', 'Größe', 'renamed'];
    expect(content.paths).toEqual(names);
    expect((await readdir(join(place, 'out', 'tree'))).sort()).toEqual(names.sort());
  });

  it.each([
    [
      'Japanese',
      'shift_jis',
      ['新しいフォルダ/', '新しいフォルダ/SJIS_835C_ソ.txt', '新しいフォルダ/表.txt', '一.txt'],
    ],
    ['Chinese', 'gbk', ['尤里的陰謀v1.0/a.txt', 'mod大全.txt', '一.txt']],
    ['Chinese of Taiwan', 'big5', ['功課.txt', '新增資料夾/照片.jpg']],
    ['Korean', 'euc-kr', ['책선물용.pdf']],
    ['Russian', 'ibm866', ['Новая папка/Отчёт.doc']],
    ['Russian of Unix', 'koi8-r', ['Новая папка/Отчёт.doc']],
    ['of Windows', 'windows-1252', ['Größe.txt', 'crème brûlée.doc']],
  ])('has names in an encoding that the archive does not state: %s', async (_language, encoding, names) => {
    const content = await unpacked([
      { name: 'ascii.txt' },
      { name: Buffer.from('Größe in UTF-8.md') },
      ...names.map((name) => ({ name: encode(name, encoding), ...(name.endsWith('/') ? {} : { content: name }) })),
    ]);
    expect(content.paths).toEqual(['ascii.txt', 'Größe in UTF-8.md', ...names]);
    const last = names.at(-1) ?? '';
    expect(await readFile(join(place, 'out', 'tree', last), 'utf8')).toBe(last);
  });

  it('has names that are not in UTF-8, although their flag says so', async () => {
    const names = ['Новая папка/Отчёт.doc', 'ascii.txt', 'größe.txt'];
    const content = await unpacked([
      { name: encode(names[0] ?? '', 'ibm866'), flags: 0x800, content: 'x' },
      { name: 'ascii.txt', flags: 0x800 },
      { name: Buffer.from('größe.txt'), flags: 0x800 },
    ]);
    expect(content.paths).toEqual(names);
  });

  it('never leaves its folder by a name that is not what its flag says', async () => {
    const name = Buffer.from('../\xff\xfe', 'latin1');
    const archive = await handed(buildZip([{ name, flags: 0x800, content: 'x' }]));
    expect(await pool.run('check', { archive, ...LIMITS })).toMatchObject({ hazard: 'path' });
  });

  it.each([
    ['as bsdtar writes the folder itself', ['./', './a.txt', './b/', './b/c.txt'], ['a.txt', 'b/', 'b/c.txt']],
    ['as Dropbox writes it', ['/', 'a.txt', 'b/c.txt'], ['a.txt', 'b/c.txt']],
    ['with slashes twice', ['//', 'a.txt', 'b//c.txt', 'd//'], ['a.txt', 'b/c.txt', 'd/']],
    ['with dots within', ['././a.txt', 'b/./c.txt', 'd/.'], ['a.txt', 'b/c.txt', 'd/']],
    ['with the backslashes of Windows', ['b\\', 'b\\c.txt', 'b\\d/e.txt'], ['b/', 'b/c.txt', 'b/d/e.txt']],
    ['with what macOS adds below a dot', ['./a.txt', './__MACOSX/._a.txt'], ['a.txt']],
  ])('has the intended paths: %s', async (_way, names, paths) => {
    const isFolder = (name: string) => /[/\\]\.?$/.test(name);
    const content = await unpacked(names.map((name) => ({ name, ...(isFolder(name) ? {} : { content: name }) })));
    expect(content.paths).toEqual(paths);
    const found = Object.keys(await treeOf(join(place, 'out', 'tree')));
    expect(found.sort()).toEqual(expect.arrayContaining(paths.map((path) => path.replace(/\/$/, ''))));
  });

  it('is checked in the same way if the archive has an entry for the root folder', async () => {
    const { archive, content } = await checked(buildZip([{ name: '/' }, { name: 'a', content: 'x' }]));
    const folder = join(place, 'out');
    await mkdir(join(folder, 'tree'), { recursive: true });
    await writeFile(join(folder, 'tree', 'a'), 'there');
    expect(await pool.run('unpack', { archive, content, folder, tree: 'tree' })).toEqual({ errno: 'EEXIST' });
    const other = await handed(buildZip([{ name: '/' }, { name: 'a', content: 'y' }]));
    const job = { archive: other, content, folder, tree: 'other' };
    expect(await outcomeOf(pool.run('unpack', job))).toBe('corrupt');
  });

  it('can come from ZIP64, have data descriptors, nested archives, and folders only in paths', async () => {
    const inner = buildZip([{ name: 'link', content: '/etc', mode: LINK }]);
    await unpacked(
      [
        { name: 'a/b/c.txt', content: 'stored', zip64: true },
        { name: 'a/d.txt', content: 'packed '.repeat(50_000), method: DEFLATED, descriptor: true },
        { name: 'inner.zip', content: inner },
        { name: 'empty', content: '', method: DEFLATED },
      ],
      { zip64: true },
    );
    const tree = join(place, 'out', 'tree');
    expect(Object.keys(await treeOf(tree)).sort()).toEqual(['a', 'a/b', 'a/b/c.txt', 'a/d.txt', 'empty', 'inner.zip']);
    expect(await readFile(join(tree, 'a', 'd.txt'), 'utf8')).toBe('packed '.repeat(50_000));
    expect(inner.equals(await readFile(join(tree, 'inner.zip')))).toBe(true);
  });

  it('omits companions of macOS, after checking them', async () => {
    const content = await unpacked([
      { name: 'a', content: 'x' },
      { name: '__MACOSX/._a', content: 'y' },
    ]);
    expect(content.paths).toEqual(['a']);
    expect(await readdir(join(place, 'out', 'tree'))).toEqual(['a']);
    await expect(checked(buildZip([{ name: '__MACOSX/x', content: '/', mode: LINK }]))).rejects.toThrow('special');
  });

  itInFull('is refused with 100,000 entries and their folder (archives.long.ts has one less)', async () => {
    const items = Array.from({ length: 100_000 }, (_, n) => ({ name: `some folder with a longer name/${n}.txt` }));
    // The folder that they are in is one more.
    await expect(checked(buildZip(items, { zip64: true }))).rejects.toThrow('too_many');
  });

  it('may have a high compression ratio if it is small', async () => {
    const { content } = await checked(
      buildZip([{ name: 'a.log', content: Buffer.alloc(9_000_000), method: DEFLATED }]),
    );
    expect(content.sizes[0]).toBe(9_000_000);
  });
});

describe('an archive that changed after the check', () => {
  it('is refused if another file has its name, or its content differs', async () => {
    const { archive, content } = await checked(buildZip([{ name: 'a', content: 'x' }]));
    await handed(buildZip([{ name: 'a', content: 'y' }]));
    const folder = join(place, 'out');
    expect(await outcomeOf(pool.run('check', { archive, ...LIMITS }))).toBe('gone');
    expect(await outcomeOf(pool.run('unpack', { archive, content, folder, tree: 'tree' }))).toBe('gone');
    expect(existsSync(folder)).toBe(false);
  });

  it('is compared with the checked entries one by one', async () => {
    const { content } = await checked(
      buildZip([
        { name: 'a', content: 'x' },
        { name: 'b', content: 'y' },
      ]),
    );
    const folder = join(place, 'out');
    for (const other of [
      [{ name: 'a', content: 'x' }],
      [
        { name: 'a', content: 'x' },
        { name: 'b', content: 'z' },
      ],
      [
        { name: 'a', content: 'x' },
        { name: 'b', content: 'y' },
        { name: 'c', content: 'z' },
      ],
      [
        { name: 'a', content: 'x' },
        { name: 'bbb', content: 'y' },
        { name: 'l', content: '/', mode: LINK },
      ],
    ]) {
      const archive = await handed(buildZip(other));
      expect(await outcomeOf(pool.run('unpack', { archive, content, folder, tree: 'tree' }))).toBe('corrupt');
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is read from the open file, regardless of its present name', async () => {
    const zip = buildZip([{ name: 'a', content: 'x' }]);
    const { identity } = await handed(zip);
    const held = await open(file, 'r');
    await rm(file);
    const content = await pool.run('check', {
      archive: { paths: [`/proc/${process.pid}/fd/${held.fd}`, file], identity },
      ...LIMITS,
    });
    await held.close();
    expect(content).toMatchObject({ paths: ['a'] });
  });
});

it('ends at its deadline', async () => {
  const short = openPool({ deadline: 1 });
  const archive = await handed(buildZip(Array.from({ length: 60_000 }, (_, n) => ({ name: `${n}` }))));
  expect(await outcomeOf(short.run('check', { archive, ...LIMITS }))).toBe('timeout');
  await short.close();
});

it('returns the error of the disk', async () => {
  const { archive, content } = await checked(buildZip([{ name: 'a', content: 'x' }]));
  await writeFile(join(place, 'out'), 'a file');
  const result = await pool.run('unpack', { archive, content, folder: join(place, 'out'), tree: 'tree' });
  expect(result).toEqual({ errno: 'EEXIST' });
});
