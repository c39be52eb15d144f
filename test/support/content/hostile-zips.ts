import { deflateRawSync } from 'node:zlib';
import { buildZip, DEFLATED, LINK, nameField, type ZipItem } from './build-zip.ts';

export interface HostileZip {
  readonly what: string;
  readonly zip: () => Buffer;
  readonly code: 'unsafe_archive' | 'corrupt_file' | 'unsupported_media';
  /** `details.reason` of an unsafe archive. */
  readonly reason?: string;
}

const GIGABYTE = 1024 ** 3;
const text = (name: string, more: Partial<ZipItem> = {}): ZipItem => ({ name, content: 'text', ...more });
const zeros = (bytes: number) => deflateRawSync(Buffer.alloc(bytes));
/** Valid by itself, but nothing of it may stay. */
const good = text('good.txt');

const unsafe = (reason: string, what: string, ...items: ZipItem[]): HostileZip => ({
  what,
  zip: () => buildZip([good, ...items]),
  code: 'unsafe_archive',
  reason,
});
const corrupt = (what: string, zip: () => Buffer): HostileZip => ({ what, zip, code: 'corrupt_file' });
const unsupported = (what: string, zip: () => Buffer): HostileZip => ({ what, zip, code: 'unsupported_media' });

const whole = () => buildZip([good, text('packed.txt', { content: 'text '.repeat(1_000), method: DEFLATED })]);

/** Archives that must not be extracted. */
export const HOSTILE: readonly HostileZip[] = [
  unsafe('special', 'a link', { name: 'link', content: '/etc/passwd', mode: LINK }),
  unsafe('special', 'a link to a folder, and a file below it', { name: 'f', content: '/tmp', mode: LINK }, text('f/x')),
  unsafe('special', 'a link, and a file of its name', { name: 'f', content: '/tmp/x', mode: LINK }, text('f')),
  unsafe('special', 'a device', { name: 'null', mode: 0o020666 }),
  unsafe('special', 'a disk', { name: 'sda', mode: 0o060666 }),
  unsafe('special', 'a pipe', { name: 'pipe', mode: 0o010666 }),
  unsafe('special', 'a socket', { name: 'socket', mode: 0o140666 }),
  unsafe('path', 'an absolute path', text('/etc/cron.d/x')),
  unsafe('path', 'a path out', text('../x')),
  unsafe('path', 'a path out behind a folder', text('a/../../x')),
  unsafe('path', 'a backslash', text('..\\x')),
  unsafe('name', 'a backslash within a name of Unix', text('a\\b', { mode: 0o100644 })),
  unsafe('path', 'a drive', text('C:/x')),
  unsafe('path', 'a path out with backslashes', text('a\\..\\..\\x')),
  unsafe('path', 'an absolute path with backslashes', text('\\x')),
  unsafe('path', 'a path out behind a dot', text('./../x')),
  unsafe('name', 'NUL', text('a.txt\0.exe')),
  unsafe('path', 'a path out in a second spelling', text('x', { extra: nameField('x', '../x') })),
  unsafe('name', 'a name with a colon', text('a/b:c')),
  unsafe('name', 'a device of Windows', text('a/con.txt')),
  unsafe('name', 'a dot at the end', text('a./b')),
  unsafe('name', 'a line break', text('a\nb')),
  unsafe('duplicate', 'a name twice but for a dot', text('a'), text('./a')),
  unsafe('contradiction', 'the folder itself with content', { name: './', content: 'text' }),
  unsafe('name', 'no name at all', text('')),
  unsafe('name', 'a name of 256 bytes', text('x'.repeat(256))),
  unsafe('too_deep', '200 folders', text(`${'a/'.repeat(200)}b`)),
  unsafe('too_deep', 'a path of 10,000 bytes', text(`${`${'a'.repeat(200)}/`.repeat(50)}b`)),
  unsafe('duplicate', 'a name twice', text('a'), text('a')),
  unsafe('duplicate', 'a name twice but for case', text('a/Größe'), text('a/GRÖSSE'), text('a/grÖße')),
  unsafe('duplicate', 'a name twice but for composition', text('\u00e4'), text('a\u0308')),
  unsafe('duplicate', 'a file where a folder is needed', text('a'), text('a/b')),
  unsafe('duplicate', 'a folder where a file is', text('a/b'), text('a')),
  unsafe('duplicate', 'a folder in two spellings', text('A/b'), text('a/c')),
  unsafe('duplicate', 'a folder twice', { name: 'a/' }, { name: 'a/' }),
  unsafe('encrypted', 'an encrypted entry', text('a', { flags: 1, packed: Buffer.alloc(16), packedSize: 16 })),
  unsafe('encrypted', 'an entry encrypted strongly', text('a', { flags: 0x41, packed: Buffer.alloc(16) })),
  unsafe('too_large', '10 GB of zeros', { name: 'a', method: DEFLATED, packed: zeros(1_000_000), size: 10 * GIGABYTE }),
  unsafe(
    'too_large',
    '2 GB in many files',
    ...[1, 2, 3].map((n) => text(`${n}`, { method: DEFLATED, size: GIGABYTE })),
  ),
  unsafe('ratio', '50 MB of zeros', { name: 'a', method: DEFLATED, content: Buffer.alloc(50_000_000) }),
  unsafe('contradiction', '50 MB of zeros that say they are 10 bytes', {
    name: 'a',
    method: DEFLATED,
    packed: zeros(50_000_000),
    size: 10,
  }),
  unsafe('contradiction', 'another name before the content', text('a', { local: { name: 'b' } })),
  unsafe('contradiction', 'another method before the content', text('a', { local: { method: DEFLATED } })),
  unsafe('contradiction', 'another sum before the content', text('a', { local: { crc: 1 } })),
  unsafe('contradiction', 'another size before the content', text('a', { local: { size: 5 } })),
  unsafe('contradiction', 'a folder with content', { name: 'a/', content: 'text' }),
  unsafe('contradiction', 'a folder without a slash', { name: 'a', mode: 0o040755 }),
  {
    what: 'an entry within another one',
    zip: () => {
      const inner = buildZip([text('inner')]).subarray(0, 30 + 5 + 4);
      const outer = { name: 'outer', content: inner };
      return buildZip([outer, text('inner', { offset: 30 + 5 })]);
    },
    code: 'unsafe_archive',
    reason: 'overlap',
  },
  {
    what: '100,001 entries',
    zip: () =>
      buildZip(
        Array.from({ length: 100_001 }, (_, n) => ({ name: `${n}` })),
        { zip64: true },
      ),
    code: 'unsafe_archive',
    reason: 'too_many',
  },
  {
    what: '200,000 folders in 2,000 paths',
    zip: () => buildZip(Array.from({ length: 2_000 }, (_, n) => ({ name: `${n}/`.repeat(100) }))),
    code: 'unsafe_archive',
    reason: 'too_many',
  },
  corrupt('an archive cut in half', () => whole().subarray(0, 60)),
  corrupt('an archive without its last byte', () => whole().subarray(0, -1)),
  corrupt('a byte too many at the end', () => Buffer.concat([whole(), Buffer.alloc(1)])),
  corrupt('a wrong sum of what is stored', () => buildZip([good, text('a', { crc: 1 })])),
  corrupt('a wrong sum of what is packed', () => buildZip([good, text('a', { method: DEFLATED, crc: 1 })])),
  corrupt('a content that ends too early', () => buildZip([good, text('a', { method: DEFLATED, size: 5 })])),
  corrupt('packed bytes that are none', () =>
    buildZip([good, text('a', { method: DEFLATED, packed: Buffer.from('text') })]),
  ),
  corrupt('sizes that cannot be', () => buildZip([good, text('a', { size: 5 })])),
  corrupt('fewer entries than there are', () => buildZip([good, text('a')], { count: 1 })),
  corrupt('more entries than there are', () => buildZip([good], { count: 2 })),
  unsupported('an entry packed in another way', () => buildZip([good, text('a', { method: 14 })])),
  unsupported('a text', () => Buffer.from('This is no archive. '.repeat(100))),
  unsupported('nothing', () => Buffer.alloc(0)),
];
