import { open, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackedZip } from '../support/content/build-zip.ts';
import { describeInFull, itInFull, sampled } from '../support/forms.ts';
import { type EmbeddedReading, fixture, openEmbeddedReader, said } from './embedded-support.ts';
import { buildGif, buildJpeg, buildPng } from './reference/photos/build.ts';
import { isAlive, outcomeOf } from './support.ts';

let reading: EmbeddedReading;
beforeAll(async () => {
  reading = await openEmbeddedReader();
});
afterAll(() => reading.close());

const outcome = (extension: string, content: Uint8Array | string) => outcomeOf(reading.read(extension, content));
const MARKUP = '<script>alert(1)</script>&lt;b&gt; "quoted" {1} %s';

/** A TIFF, little-endian, with one directory. @param entries tag, type, count, and what stands for the value */
function tiff(
  entries: readonly (readonly [number, number, number, number])[],
  rest = Buffer.alloc(0),
  next = 0,
): Buffer {
  const head = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0]);
  head.writeUInt16LE(entries.length, 8);
  const table = entries.map(([tag, type, count, value]) => {
    const entry = Buffer.alloc(12);
    entry.writeUInt16LE(tag, 0);
    entry.writeUInt16LE(type, 2);
    entry.writeUInt32LE(count, 4);
    entry.writeUInt32LE(value, 8);
    return entry;
  });
  const last = Buffer.alloc(4);
  last.writeUInt32LE(next);
  return Buffer.concat([head, ...table, last, rest]);
}

/** Behind a directory of so many entries. */
const behind = (entries: number) => 10 + entries * 12 + 4;
const [IMAGE_DESCRIPTION, ARTIST, EXIF_DIRECTORY, PICTURES, XMP] = [0x10e, 0x13b, 0x8769, 0x14a, 0x2bc];

function withXmp(xmp: string | Buffer): Buffer {
  const bytes = Buffer.from(xmp as string);
  return tiff([[XMP, 1, bytes.length, behind(1)]], bytes);
}

const described = (inside: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description>${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`;

describe('text in a picture', () => {
  it('remains plain text if it contains markup', async () => {
    const text = Buffer.from(`${MARKUP}\0`);
    const found = await reading.read('tif', tiff([[IMAGE_DESCRIPTION, 2, text.length, behind(1)]], text));
    expect(said(found).description).toBe(MARKUP);
  });

  it('is stripped of control characters and lone surrogates', async () => {
    const xmp = described(
      '<dc:title>a\u0007b\u009dc\nd\u2028e</dc:title><dc:description>one\r\ntwo\u0001</dc:description>',
    );
    expect(said(await reading.read('tif', withXmp(xmp)))).toMatchObject({
      title: 'a b c d\u2028e',
      description: 'one\ntwo',
    });
    const long = described(`<dc:title>${'x'.repeat(499)}😀</dc:title>`);
    expect(said(await reading.read('tif', withXmp(long))).title).toBe('x'.repeat(499));
  });

  it('of a megabyte is omitted or cut, and a long list of keywords is shortened', async () => {
    const text = Buffer.alloc(1024 * 1024, 'x');
    const sides = [
      [0x100, 4, 1, 64],
      [0x101, 4, 1, 48],
    ] as const;
    const large = tiff([...sides, [IMAGE_DESCRIPTION, 2, text.length, behind(3)]], text);
    expect(said(await reading.read('tif', large))).toEqual({ dimensions: '64 × 48' });
    const xmp = described(
      `<dc:title>${'t'.repeat(300_000)}</dc:title><dc:description>${'d'.repeat(300_000)}</dc:description>`,
    );
    const cut = said(await reading.read('tif', withXmp(xmp)));
    expect([cut.title?.length, cut.description?.length]).toEqual([500, 10_000]);
    const words = Array.from({ length: 5_000 }, (_, i) => `<rdf:li>word ${i}</rdf:li>`).join('');
    const many = said(
      await reading.read('tif', withXmp(described(`<dc:subject><rdf:Bag>${words}</rdf:Bag></dc:subject>`))),
    );
    expect(many.keywords).toHaveLength(50);
  });

  it('of XMP resolves no entities, files or addresses, and is not nested deeply', async () => {
    const laughs = Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "&l${i};&l${i};">`).join('');
    const entities = `<!DOCTYPE x [<!ENTITY l0 "laugh">${laughs}<!ENTITY file SYSTEM "file:///etc/hostname">]>`;
    const bomb = entities + described('<dc:title>before &l30; &file; after</dc:title>');
    expect(said(await reading.read('tif', withXmp(bomb))).title).toBe('before &l30; &file; after');
    const deep = described(`<dc:title>first</dc:title>${'<a>'.repeat(200_000)}`);
    expect(said(await reading.read('tif', withXmp(deep))).title).toBe('first');
    expect(isAlive(reading.pids.at(-1) ?? 0)).toBe(true);
  });
});

describe('compressed texts in a picture', () => {
  const zeros = deflateSync(Buffer.alloc(32 * 1024 * 1024));
  const megabyte = deflateSync(Buffer.alloc(1_000_000));
  const bomb = (packed: Buffer) => ['zTXt', Buffer.concat([Buffer.from('Comment\0\0'), packed])] as const;
  const title = ['tEXt', Buffer.from('Title\0Lake')] as const;

  it.each([
    ['of many megabytes', [bomb(zeros), title]],
    ['in thousands', [...Array.from({ length: 8_000 }, () => bomb(megabyte)), title]],
    ['that are damaged', [...Array.from({ length: 8_000 }, () => bomb(zeros.subarray(0, 1_500))), title]],
    ['that are none', [bomb(Buffer.from('plain')), bomb(Buffer.alloc(0)), title]],
  ] as const)('%s are left out, and the others are read', async (_what, others) => {
    const found = said(await reading.read('png', buildPng({ others })));
    expect(found).toMatchObject({ title: 'Lake', dimensions: '6 × 4' });
    expect(found).not.toHaveProperty('keywords');
  });

  it.each(['a 1', 'exif 9 ', ''])('can be a profile that is not in digits: %j', async (start) => {
    const profile = Buffer.concat([
      Buffer.from(`Raw profile type exif\0${start}`),
      Buffer.alloc(1_000_000, ' '),
      Buffer.from('!'),
    ]);
    expect(said(await reading.read('png', buildPng({ others: [['tEXt', profile], title] })))).toMatchObject({
      title: 'Lake',
    });
  });

  it('can be blocks of a GIF without an end', async () => {
    const gif = buildGif('x'.repeat(2_000_000));
    for (const cut of [14, 40, 100, gif.length - 20, gif.length])
      expect(said(await reading.read('gif', gif.subarray(0, cut)))).toEqual({ dimensions: '6 × 4' });
    const frames = Buffer.concat([gif.subarray(0, 19), Buffer.alloc(40 * 1024 * 1024, 1)]);
    frames.write('21fe', 19, 'hex');
    expect(said(await reading.read('gif', frames))).toEqual({ dimensions: '6 × 4' });
  });

  it('can claim to be a second part of XMP', async () => {
    const name = Buffer.from(`http://ns.adobe.com/xmp/extension/\0${'A'.repeat(32)}`);
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a:HasExtendedXMP>${'A'.repeat(32)}</a:HasExtendedXMP></x:xmpmeta>`;
    const piece = (...numbers: [number, number]) => {
      const bytes = Buffer.alloc(8);
      for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
      return [0xe1, Buffer.concat([name, bytes, Buffer.alloc(60_000, '<a>')])] as const;
    };
    const others = Array.from({ length: 400 }, (_, index) => piece(1_000_000, index * 60_000));
    for (const more of [others, [piece(0xffff_ffff, 0)], [piece(1, 0xffff_ffff)], [[0xe1, name] as const]])
      expect(said(await reading.read('jpg', buildJpeg({ xmp, others: more })))).toEqual({ dimensions: '6 × 4' });
  });
});

describe('directories', () => {
  it('that refer to themselves or to each other are read in finite time', async () => {
    const loop = tiff(
      [
        [0x100, 4, 1, 64],
        [0x101, 4, 1, 48],
        [PICTURES, 4, 1, 8],
        [EXIF_DIRECTORY, 4, 1, 8],
      ],
      Buffer.alloc(0),
      8,
    );
    expect(said(await reading.read('tif', loop))).toMatchObject({ dimensions: '64 × 48' });
  });

  it.each(sampled([0, 1, 0x7fffffff, 0xffffffff], 2))('with false lengths and offsets are ignored: %i', async (lie) => {
    for (const type of [0, 1, 2, 3, 4, 5, 12, 13, 14, 65535]) {
      const file = tiff([
        [0x100, 4, 1, 64],
        [0x101, 4, 1, 48],
        [ARTIST, type, lie, lie],
        [EXIF_DIRECTORY, type, lie, lie],
        [PICTURES, type, lie, lie],
      ]);
      expect(said(await reading.read('tif', file))).toMatchObject({ dimensions: '64 × 48' });
    }
  });

  it('with many large values are read up to a limit', async () => {
    const entries = Array.from({ length: 1_000 }, () => [ARTIST, 2, 60_000, behind(1_000)] as const);
    const file = tiff(entries, Buffer.alloc(70_000, 'x'));
    expect(['done', 'too_large']).toContain(await outcome('tif', file));
  });
});

/** A box of a film. */
function box(type: string, content: Uint8Array, size = 8 + content.length): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

describe('boxes of videos and pictures', () => {
  it.each(sampled([0, 1, 2, 7, 0xffffffff], 2))('of size %i do not block the reader', async (size) => {
    for (const type of ['ftyp', 'moov', 'meta', 'free']) {
      const file = Buffer.concat([box('ftyp', Buffer.from('isommp42')), box(type, Buffer.alloc(64), size)]);
      for (const extension of ['mp4', 'mov', 'heic', 'm4a']) {
        expect(['done', 'corrupt', 'unsupported']).toContain(await outcome(extension, file));
      }
    }
  });

  it('with 64-bit sizes do not block the reader', async () => {
    const size = Buffer.from('ffffffffffffffff', 'hex');
    const file = Buffer.concat([box('ftyp', Buffer.from('isommp42')), box('moov', size, 1)]);
    expect(await outcome('mp4', file)).toBe('corrupt');
  });

  itInFull('ten thousand deep or side by side do not end the worker', async () => {
    for (const type of ['moov', 'trak', 'udta', 'meta', 'ilst']) {
      let nested: Buffer = Buffer.alloc(0);
      for (let depth = 0; depth < 10_000; depth += 1) nested = box(type, nested);
      const beside = box('moov', Buffer.concat(Array.from({ length: 10_000 }, () => box(type, Buffer.alloc(4)))));
      for (const content of [box('moov', nested), beside]) {
        const file = Buffer.concat([box('ftyp', Buffer.from('isommp42')), content]);
        for (const extension of ['mp4', 'm4a', 'heic']) {
          expect(['done', 'corrupt', 'unsupported', 'too_large']).toContain(await outcome(extension, file));
        }
      }
    }
    expect(isAlive(reading.pids.at(-1) ?? 0)).toBe(true);
  });
});

describeInFull('music', () => {
  it('with frames larger than the file, or covers of many megabytes, does not end the worker', async () => {
    const frame = (size: number, content: Buffer) => {
      const head = Buffer.from('TIT2\0\0\0\0\0\0', 'latin1');
      head.writeUInt32BE(size, 4);
      return Buffer.concat([head, content]);
    };
    const tag = (size: number, content: Buffer) => {
      const head = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1');
      for (let i = 0; i < 4; i += 1) head[9 - i] = (size >> (7 * i)) & 0x7f;
      return Buffer.concat([head, content]);
    };
    const sound = await fixture('audio/id3v24.mp3');
    for (const size of [0, 0x7fffffff, 0xffffffff]) {
      const lie = Buffer.concat([tag(200, frame(size, Buffer.alloc(190, 'x'))), sound]);
      expect(['done', 'corrupt']).toContain(await outcome('mp3', lie));
    }
    const large = Buffer.alloc(20 * 1024 * 1024, 'x');
    expect(['done', 'corrupt', 'too_large']).toContain(
      await outcome('mp3', Buffer.concat([tag(large.length + 10, frame(large.length, large)), sound])),
    );
    expect(isAlive(reading.pids.at(-1) ?? 0)).toBe(true);
  });
});

describe('documents', () => {
  it('execute no scripts', async () => {
    const found = said(await reading.read('pdf', await fixture('documents/javascript.pdf')));
    expect(found.title).toBe('A page with a script');
  });

  it('that are decompression bombs are refused at the limit', async () => {
    const blanks = Buffer.alloc(200 * 1024 * 1024, ' ');
    const office = [
      { name: '[Content_Types].xml', content: '' },
      { name: 'docProps/core.xml', content: blanks },
    ];
    const open = [
      { name: 'content.xml', content: '' },
      { name: 'meta.xml', content: blanks },
    ];
    const book = [{ name: 'META-INF/container.xml', content: blanks }];
    expect(await outcome('docx', buildPackedZip(office))).toBe('too_large');
    expect(await outcome('odt', buildPackedZip(open))).toBe('too_large');
    expect(await outcome('epub', buildPackedZip(book))).toBe('too_large');
  });

  it('resolve no entities, and are not nested deeply', async () => {
    const core = `<!DOCTYPE x [<!ENTITY l "laugh"><!ENTITY f SYSTEM "file:///etc/hostname">]>
      <cp:coreProperties><dc:title>a &l; &f; b</dc:title>${'<a>'.repeat(100_000)}</cp:coreProperties>`;
    const parts = [
      { name: '[Content_Types].xml', content: '' },
      { name: 'docProps/core.xml', content: core },
    ];
    expect(said(await reading.read('docx', buildPackedZip(parts))).title).toBe('a &l; &f; b');
  });
});

const WHOLE = [
  ...['pictures/camera.jpg', 'pictures/described.jpg', 'pictures/described.png', 'pictures/plain.webp'],
  ...['pictures/telephone.heic', 'pictures/lzw.tif', 'pictures/animated.gif', 'raw/preview.dng', 'raw/CanonRaw.cr3'],
  ...['audio/cover.mp3', 'audio/cover.flac', 'audio/cover.m4a', 'audio/cover.ogg', 'audio/cover.opus'],
  ...['audio/tagged.wav', 'video/h264.mp4', 'video/apple-keys.mov', 'video/h264.mkv', 'video/mpeg4.avi'],
  ...['documents/ghostscript.pdf', 'documents/text.docx', 'documents/text.odt', 'documents/book.epub'],
];

describe('a file', () => {
  it.each(sampled(WHOLE, 4))('that ends too early is read up to its end, or refused: %s', async (path) => {
    const whole = await fixture(path);
    const extension = path.slice(path.lastIndexOf('.') + 1);
    for (let part = 0; part < 20; part += 1) {
      const cut = whole.subarray(0, Math.floor((whole.length * part) / 20));
      expect(['done', 'corrupt', 'unsupported'], `${part}/20`).toContain(await outcome(extension, cut));
    }
  });

  it('of a type that differs from its extension is read as its real type, or refused', async () => {
    expect(said(await reading.read('jpg', await fixture('pictures/described.png'))).title).toBe('Four fields');
    expect(said(await reading.read('heic', await fixture('pictures/camera.jpg'))).camera).toBe('Canon EOS R6');
    for (const extension of ['jpg', 'mp3', 'mkv', 'pdf', 'docx', 'odt', 'epub']) {
      for (const content of ['', 'plain text', Buffer.alloc(100_000), '%!PS', '<html>']) {
        expect(['unsupported', 'corrupt'], extension).toContain(await outcome(extension, content));
      }
    }
    expect(await outcome('pdf', await fixture('pictures/camera.jpg'))).toBe('unsupported');
    expect(await outcome('docx', await fixture('documents/text.odt'))).toBe('unsupported');
  });

  it('with very many parts is also read behind them', async () => {
    const png = await fixture('pictures/described.png');
    const part = Buffer.alloc(12 + 8 * 1024);
    part.writeUInt32BE(8 * 1024, 0);
    part.write('IDAT', 4);
    const parts = Array.from({ length: 5_000 }, () => part);
    const many = Buffer.concat([png.subarray(0, 33), ...parts, png.subarray(33)]);
    expect(said(await reading.read('png', many))).toMatchObject({ title: 'Four fields', keywords: 'colours' });
    const jpeg = await fixture('pictures/camera.jpg');
    const application = Buffer.concat([Buffer.from([0xff, 0xe2, 0xff, 0xff]), Buffer.alloc(0xffff - 2)]);
    const segments = Array.from({ length: 400 }, () => application);
    const long = Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
    expect(said(await reading.read('jpg', long))).toMatchObject({ camera: 'Canon EOS R6' });
  });

  itInFull('of hundreds of megabytes is not read completely', async () => {
    /** By the last worker, where the system says so. */
    const bytesRead = async () => {
      const pid = reading.pids.at(-1);
      if (process.platform !== 'linux' || pid === undefined) return 0;
      return Number(/^rchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1]);
    };
    for (const [path, expected] of [
      ['pictures/camera.jpg', { camera: 'Canon EOS R6' }],
      ['video/h264.mp4', { title: 'Birthday' }],
      ['audio/cover.flac', { title: 'Rain' }],
      ['audio/id3v24.mp3', { title: 'Évening' }],
    ] as const) {
      const target = join(reading.folder, `large.${path.slice(path.lastIndexOf('.') + 1)}`);
      const file = await open(target, 'w');
      await file.write(await fixture(path));
      await file.close();
      await truncate(target, 2 * 1024 ** 3);
      const before = await bytesRead();
      expect(said(await reading.readAt(target))).toMatchObject(expected);
      // With what the program itself is, if it had to be started.
      expect((await bytesRead()) - before).toBeLessThan(200 * 1024 ** 2);
    }
  });
});
