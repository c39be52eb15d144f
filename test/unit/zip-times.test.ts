import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ZipStream from 'zip-stream';
import { writeTimes } from '../../dist/server/files/zip/zip-times.js';
import { timeOf } from '../../dist/server/workers/archives/entry-times.js';
import { entriesOf } from '../support/content/read-zip.ts';

/** UTC. The last ones of 32 bits, with a sign and without one; before and after DOS; odd seconds; summer. */
const TIMES = [
  '1970-01-01T00:00:01Z',
  '1974-06-15T12:34:57Z',
  '1979-12-31T23:59:59Z',
  '1980-01-01T00:00:01Z',
  '1999-07-01T10:20:31Z',
  '2020-01-02T03:04:05Z',
  '2038-01-19T03:14:07Z',
  '2038-01-19T03:14:08Z',
  '2043-12-31T23:59:59Z',
  '2044-05-06T07:08:09Z',
  '2099-12-31T00:00:01Z',
  '2106-02-07T06:28:15Z',
];
const NAMES = TIMES.map((_, index) => `${index}.txt`);
const SECONDS = TIMES.map((time) => Date.parse(time) / 1_000);

const isInstalled = (program: string, argument: string) => spawnSync(program, [argument]).error === undefined;

let folder: string;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'larder-zip-times-'));
  file = join(folder, 'a.zip');
  writeFileSync(file, await written(NAMES.map((name, index) => ({ name, mtime: (SECONDS[index] ?? 0) * 1_000 }))));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function written(entries: readonly { name: string; mtime: number }[]): Promise<Buffer> {
  const zip = new ZipStream({ store: true, forceLocalTime: true });
  const pieces: Buffer[] = [];
  let time = 0;
  writeTimes(zip as never, () => time);
  zip.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve) => zip.on('end', resolve));
  for (const { name, mtime } of entries) {
    time = mtime;
    await new Promise((resolve) => zip.entry(Buffer.from('x') as never, { name, store: true }, resolve));
  }
  zip.finish();
  await ended;
  return Buffer.concat(pieces);
}

function secondsIn(place: string): number[] {
  return NAMES.map((name) => Math.floor(statSync(join(place, name)).mtimeMs / 1_000));
}

function newFolder(name: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  return place;
}

describe('the times of files from 1970 to 2106 in an archive', () => {
  it.skipIf(!isInstalled('unzip', '-v'))('are read by unzip', () => {
    const place = newFolder('unzip');
    execFileSync('unzip', ['-q', file, '-d', place]);
    expect(secondsIn(place)).toEqual(SECONDS);
  });

  it.skipIf(!isInstalled('bsdtar', '--version'))('are read by bsdtar', () => {
    const place = newFolder('bsdtar');
    execFileSync('bsdtar', ['-xf', file, '-C', place]);
    expect(secondsIn(place)).toEqual(SECONDS);
  });

  const sevenZip = ['7zz', '7z'].find((program) => isInstalled(program, 'i'));
  it.skipIf(sevenZip === undefined)('are read by 7-Zip', () => {
    const place = newFolder('7z');
    execFileSync(sevenZip ?? '', ['x', `-o${place}`, file]);
    expect(secondsIn(place)).toEqual(SECONDS);
  });

  it.skipIf(!isInstalled('python3', '--version'))('are read by Python, from the extra field', () => {
    const script = `
import sys, zipfile
for entry in zipfile.ZipFile(sys.argv[1]).infolist():
    extra = entry.extra
    while extra:
        size = int.from_bytes(extra[2:4], "little")
        if extra[:2] == b"UT":
            print(int.from_bytes(extra[5:9], "little"), entry.date_time[0])
        extra = extra[4 + size:]
`;
    const lines = execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }).trim().split('\n');
    expect(lines.map((line) => Number(line.split(' ')[0]))).toEqual(SECONDS);
    // Its own time is the local one of DOS.
    const years = SECONDS.map((seconds) => Math.max(1980, new Date(seconds * 1_000).getFullYear()));
    expect(lines.map((line) => Number(line.split(' ')[1]))).toEqual(years);
  });
});

it('times beyond that field are read from the NTFS field', async () => {
  const times = ['1601-01-02', '1901-12-14', '1969-12-31', '2106-02-08', '2200-01-01'].map((time) => Date.parse(time));
  const entries = await entriesOf(await written(times.map((mtime) => ({ name: `${mtime}`, mtime }))));
  expect(entries.map((entry) => entry.getLastModDate().getTime())).toEqual(times);
  const now = Date.now();
  expect(entries.map(timeOf)).toEqual(times.map((time) => (time < now ? time : Number.NaN)));
});

it('times are stored to the millisecond', async () => {
  const [entry] = await entriesOf(await written([{ name: 'a', mtime: 1_600_000_000_123 }]));
  expect(entry?.getLastModDate().getTime()).toBe(1_600_000_000_123);
});
