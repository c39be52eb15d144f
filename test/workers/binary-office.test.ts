import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compoundFile, numbers, oldWordStreams, record, short, wordStreams } from '../support/content/binary-office.ts';
import { docx, xlsx } from '../support/content/documents.ts';
import { type BinaryOfficeFiles, openBinaryOffice } from './binary-office-support.ts';
import { type EmbeddedReading, openEmbeddedReader, said } from './embedded-support.ts';
import { outcomeOf } from './support.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
let describing: EmbeddedReading;
let saved: BinaryOfficeFiles;
beforeAll(async () => {
  saved = openBinaryOffice();
  [reading, describing] = await Promise.all([openTextReader(), openEmbeddedReader()]);
});
afterAll(() => Promise.all([reading.close(), describing.close()]));

const latin = (text: string) => Buffer.from(text, 'latin1');

describe('Word before 2007', () => {
  const words = (...pieces: (string | Buffer)[]) => reading.words('doc', compoundFile(wordStreams({ pieces })));

  it('is read as saved by LibreOffice', async () => {
    expect(await reading.words('doc', saved.get('text.doc') ?? '')).toBe('a letter dear household the larder is full');
  });

  it('is read in the order of its pieces, regardless of where they are stored', async () => {
    expect(await words('One по', latin('int two'), '\rthree', latin(' caf\xe9\r'))).toBe('one поint two three cafe');
  });

  it('is read with special characters', async () => {
    expect(await words('a\u0007b\tc\u000bd\fe\rhalf\u001eway straw\u001fberry\u0001\u0008x')).toBe(
      'a b c d e half way strawberry x',
    );
  });

  it('yields results of fields without their instructions, also across pieces', async () => {
    const link = '\u0013 HYPERLINK "https://example.org/secret" \u0001\u0014here\u0015';
    expect(await words(`see ${link} there`)).toBe('see here there');
    expect(await words('a \u0013 IF \u0013 PAGE \u00141\u0015 = 1 ', latin('secret \u0014plum\u0015 b'))).toBe(
      'a plum b',
    );
    expect(await words('a \u0013 PAGE \u0015 b')).toBe('a b');
    // The field never ends.
    expect(await words('a \u0013 secret\rb')).toBe('a b');
    expect(await words(`${'\u0013'.repeat(500)}\r\u0014b\u0015 c`)).toBe('b c');
  });

  it('is read with either table stream', async () => {
    const file = compoundFile(wordStreams({ pieces: ['plum'], flags: 0 }));
    expect(await reading.words('doc', file)).toBe('plum');
  });

  it('excludes the text of embedded documents', async () => {
    const [outer, inner] = [wordStreams({ pieces: ['outer'] }), wordStreams({ pieces: ['secret'] })];
    const embedded = Object.fromEntries(Object.entries(inner).map(([name, one]) => [`ObjectPool/_1/${name}`, one]));
    expect(await reading.words('doc', compoundFile({ ...embedded, ...outer }))).toBe('outer');
  });

  it('is read if its sector table does not fit into the header', async () => {
    // 110 sectors of the table of sectors are 7 MiB.
    const pictures = Buffer.alloc(9 * 1024 * 1024, 1);
    const file = compoundFile({ Data: pictures, ...wordStreams({ pieces: ['plum'.repeat(2_000), ' jam'] }) });
    expect((await reading.words('doc', file)).endsWith('plum jam')).toBe(true);
  });

  it.each([
    ['Word 95', latin('caf\xe9 \u0013 PAGE \u00141\u0015'), 0x4_09, 'cafe 1'],
    ['Word 95 in Russian', Buffer.from([0xcb, 0xe5, 0xf2, 0xee]), 0x4_19, 'лето'],
    ['Word 95 in Japanese', Buffer.from([0x89, 0xc4]), 0x4_11, '夏'],
    ['Word 95 of Taiwan', Buffer.from([0xae, 0x4c]), 0x4_04, '夏'],
  ])('of %s is decoded with the code page of its language', async (_, text, language, expected) => {
    expect(await reading.words('doc', compoundFile(oldWordStreams({ pieces: [text], language })))).toBe(expected);
    const pieces = [latin('see '), text];
    const quick = compoundFile(oldWordStreams({ pieces, language, flags: 0x4 }));
    expect(await reading.words('doc', quick)).toBe(`see ${expected}`);
  });

  it('is refused if it is encrypted, older or damaged', async () => {
    const outcome = (parts: Parameters<typeof wordStreams>[0]) =>
      outcomeOf(reading.words('doc', compoundFile(wordStreams(parts))));
    expect(await outcome({ pieces: ['secret'], flags: 0x3_00 })).toBe('unsupported');
    expect(await outcome({ pieces: ['plum'], version: 45 })).toBe('unsupported');
    const { WordDocument } = wordStreams({ pieces: ['plum'] });
    expect(await outcomeOf(reading.words('doc', compoundFile({ WordDocument })))).toBe('corrupt');
    expect(await outcomeOf(reading.words('doc', compoundFile({ Other: WordDocument })))).toBe('unsupported');
    const broken = compoundFile({ WordDocument: WordDocument.subarray(0, 100), '1Table': Buffer.alloc(8) });
    expect(await outcomeOf(reading.words('doc', broken))).toBe('corrupt');
  });

  it('is refused if many pieces refer to the same place', async () => {
    const pieces = [`\u0013${'x'.repeat(10_000)}`, ...'y'.repeat(200)];
    const streams = wordStreams({ pieces });
    const table = Buffer.from(streams['1Table'] ?? '');
    const places = table.length - pieces.length * 8;
    const limits = places - (pieces.length + 1) * 4;
    for (let piece = 1; piece < pieces.length; piece += 1) {
      table.writeUInt32LE((piece + 1) * 10_000, limits + (piece + 1) * 4);
      table.copy(table, places + piece * 8, places, places + 8);
    }
    expect(await outcomeOf(reading.words('doc', compoundFile({ ...streams, '1Table': table })))).toBe('corrupt');
  });

  it('has a reader to show it as text', async () => {
    const { shownTextReaderOf } = await import('../../dist/server/workers/text/kinds.js');
    expect(['doc', 'dot', 'ppt', 'pps', 'xls'].map(shownTextReaderOf)).toEqual([
      'word',
      'word',
      'powerpoint',
      'powerpoint',
      null,
    ]);
  });
});

describe('a file with the extension of an old format', () => {
  it.each([
    ['doc', 'Rich Text', latin('{\\rtf1\\ansi plum {\\info{\\title secret}}jam}')],
    ['doc', 'a newer document', docx('<w:p><w:r><w:t>plum jam</w:t></w:r></w:p>')],
    ['doc', 'a web page', latin('\n<html><script>secret</script><p>plum<p>jam')],
    ['doc', 'plain text', latin('plum\njam')],
    ['xls', 'a newer workbook', xlsx(['<t>plum jam</t>'], '')],
    ['xls', 'a web page', Buffer.from('\ufeff<table><tr><td>plum<td>jam')],
    ['xls', 'a table as text', latin('plum\tjam\n')],
    ['ppt', 'plain text', latin('plum jam')],
  ])('.%s that is %s is read in its real format', async (extension, _, content) => {
    expect((await reading.words(extension, content)).replace('haushalt 2026 ', '')).toBe('plum jam');
  });

  it('is refused if it is not text either', async () => {
    const content = Buffer.from(Array.from({ length: 2_000 }, (_, index) => index % 7));
    expect(await outcomeOf(reading.words('doc', content))).toBe('unsupported');
  });
});

describe('Excel before 2007', () => {
  const BEGIN = record(0x8_09, short(0x6_00, 0x5));
  const BEGIN_95 = record(0x8_09, short(0x5_00, 0x5));
  const words = (...records: Buffer[]) => reading.words('xls', compoundFile({ Workbook: Buffer.concat(records) }));
  const double = (value: number) => Buffer.from(Float64Array.of(value).buffer);
  const narrow = (text: string) => Buffer.concat([short(text.length), Buffer.from([0]), latin(text)]);
  const style = (format: number) => record(0xe0, short(0, format, 0));

  it('is read as saved by LibreOffice', async () => {
    expect(await reading.words('xls', saved.get('table.xls') ?? '')).toBe('january bread 12');
  });

  it('is read with shared strings across records, of both widths, with phonetics and formatting', async () => {
    const rich = Buffer.concat([short(4), Buffer.from([0x8]), short(1), latin('plum'), numbers(0)]);
    const reading4 = Buffer.concat([short(3), Buffer.from([0x4]), numbers(6), latin('jam'), latin('secret')]);
    const long = Buffer.concat([short(6), Buffer.from([0]), latin('str')]);
    const rest = Buffer.concat([Buffer.from([1]), Buffer.from('авы', 'utf16le'), narrow('last')]);
    const shared = record(0xfc, numbers(4, 4), rich, reading4, long);
    expect(await words(BEGIN, shared, record(0x3c, rest))).toBe('plum jam strавы last');
    // The letters begin in the next record.
    const split = record(0xfc, numbers(1, 1), short(4), Buffer.from([0]));
    expect(await words(BEGIN, split, record(0x3c, Buffer.from([0]), latin('plum')))).toBe('plum');
  });

  it('yields sheet names, texts, results of formulas, comments and chart titles', async () => {
    const sheet = record(0x85, numbers(0), short(0), Buffer.from([4, 0]), latin('Year'));
    const label = record(0x2_04, short(0, 0, 0), narrow('label'));
    const result = record(0x2_07, narrow('result'));
    const comment = Buffer.concat([
      record(0x1_b6, Buffer.alloc(10), short(6), Buffer.alloc(6)),
      record(0x3c, Buffer.from([0]), latin('remark')),
      record(0x3c, Buffer.alloc(8)),
    ]);
    const title = record(0x10_0d, short(0), Buffer.from([5, 0]), latin('title'));
    expect(await words(BEGIN, sheet, label, result, comment, title)).toBe('year label result remark title');
  });

  it('yields numbers and dates as displayed', async () => {
    const number = (style: number, value: number) => record(0x2_03, short(0, 0, style), double(value));
    const brief = (value: number, bits: number) => record(0x2_7e, short(0, 0, 0), numbers((value << 2) | bits));
    const formats = [style(0), style(14), record(0x4_1e, short(200), narrow('d mmmm yyyy')), style(200)];
    expect(await words(BEGIN, ...formats, number(0, 12.5), number(1, 45_418), number(2, 45_418))).toBe(
      '12 5 2024 05 06 05 06 24 2024 05 06 6 may 2024',
    );
    expect(await words(BEGIN, style(0), brief(1_234, 2), brief(1_234, 3), brief(-7, 2))).toBe('1234 12 34 7');
    const two = record(0xbd, short(0, 0), short(0), numbers((7 << 2) | 2), short(0), numbers((8 << 2) | 2), short(1));
    const formula = record(0x06, short(0, 0, 0), double(99), Buffer.alloc(8));
    const textual = record(0x06, short(0, 0, 0), Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]), Buffer.alloc(8));
    expect(await words(BEGIN, style(0), two, formula, textual)).toBe('7 8 99');
    expect(await words(BEGIN, record(0x22, short(1)), style(14), number(0, 43_956))).toBe('2024 05 06 05 06 24');
  });

  it('of Excel 95 is decoded with its code page', async () => {
    const label = record(0x2_04, short(0, 0, 0), short(4), Buffer.from([0xcb, 0xe5, 0xf2, 0xee]));
    const book = Buffer.concat([BEGIN_95, record(0x42, short(1_251)), label]);
    expect(await reading.words('xls', compoundFile({ Book: book }))).toBe('лето');
  });

  it('is refused if it is encrypted', async () => {
    expect(await outcomeOf(words(BEGIN, record(0x2f, short(1, 1, 1)), record(0x2_07, narrow('secret'))))).toBe(
      'unsupported',
    );
  });
});

describe('PowerPoint before 2007', () => {
  it('is read as saved by LibreOffice, without the texts of its layout', async () => {
    expect(await reading.words('ppt', saved.get('slides.ppt') ?? '')).toBe('welcome');
  });

  const head = (type: number, data: Buffer, first = 0xf) =>
    Buffer.concat([short(first, type), numbers(data.length), data]);
  const letters = (text: string) => head(0x0f_a0, Buffer.from(text, 'utf16le'), 0);
  const slide = (text: string) => head(0x03_ee, head(0xf0_0d, letters(text)));

  /** A presentation that was saved twice: the second state has another text of its first slide. */
  function presentation({ token = 0xe3_91_c0_5f } = {}): Buffer {
    const list = (instance: number, ...ids: number[]) =>
      head(0x0f_f0, Buffer.concat(ids.map((id) => head(0x03_f3, numbers(id, 0, 0, 0, 0), 0))), (instance << 4) | 0xf);
    const title = head(0x0f_a8, latin('title\ronly'), 0);
    const comment = head(0x2e_e0, head(0x0f_ba, Buffer.from('remark', 'utf16le'), 0));
    const outline = head(
      0x0f_f0,
      Buffer.concat([head(0x03_f3, numbers(3, 0, 0, 0, 0), 0), title, head(0x03_f3, numbers(2, 0, 0, 0, 0), 0)]),
    );
    const main = head(0x03_e8, Buffer.concat([list(1, 4), outline, list(2, 5, 5)]));
    const parts = [main, slide('old'), slide('third\u000bfirst'), slide('layout'), slide('notes')];
    const starts: number[] = [];
    let content = Buffer.alloc(0);
    const add = (part: Buffer) => {
      const at = content.length;
      content = Buffer.concat([content, part]);
      return at;
    };
    for (const part of parts) starts.push(add(part));
    const edit = (before: number, places: number) => add(head(0x0f_f5, numbers(0, 0, before, places, 1, 9, 0), 0));
    const first = edit(0, add(head(0x17_72, Buffer.concat([numbers((5 << 20) | 1), numbers(...starts)]), 0)));
    const changed = add(head(0x03_ee, Buffer.concat([head(0xf0_0d, letters('new')), comment])));
    const last = edit(first, add(head(0x17_72, numbers((1 << 20) | 2, changed), 0)));
    const user = head(0x0f_f6, numbers(20, token, last, 0), 0);
    return compoundFile({ 'PowerPoint Document': content, 'Current User': user });
  }

  it('yields the slides of the last state once, in order, with notes and comments', async () => {
    expect(await reading.words('ppt', presentation())).toBe('third first title only new remark notes');
  });

  it('is refused if it is encrypted', async () => {
    expect(await outcomeOf(reading.words('ppt', presentation({ token: 0xf3_d1_c4_df })))).toBe('unsupported');
  });
});

describe('the properties of an Office file before 2007', () => {
  it.each([
    ['text.doc', 'A letter'],
    ['table.xls', 'A budget'],
    ['slides.ppt', 'A talk'],
  ])('are read from %s', async (name, title) => {
    expect(said(await describing.read(name.slice(-3), saved.get(name) ?? Buffer.alloc(0)))).toEqual({
      title,
      author: 'Ann Example',
      subject: 'Household',
      keywords: ['larder', 'tests'],
      description: 'Made for tests',
      created: '2024-01-02T03:04:05Z',
      modified: '2024-02-03T04:05:06Z',
    });
  });

  it('are decoded with its code page, and include the number of pages', async () => {
    const values = [
      [1, Buffer.concat([short(2, 0, 1_251, 0)])],
      [2, Buffer.concat([numbers(0x1e, 5), Buffer.from([0xcb, 0xe5, 0xf2, 0xee, 0, 0, 0, 0])])],
      [14, numbers(3, 12)],
      // A span of time, and one that leads outside.
      [12, numbers(0x40, 600_000_000, 0)],
      [6, numbers(0x1e, 0xff_ff)],
    ] as const;
    let at = 8 + values.length * 8;
    const offsets = values.map(([id, value]) => {
      const entry = numbers(id, at);
      at += value.length;
      return entry;
    });
    const set = Buffer.concat([numbers(at, values.length), ...offsets, ...values.map(([, value]) => value)]);
    const stream = Buffer.concat([Buffer.alloc(24), numbers(1), Buffer.alloc(16), numbers(48), set]);
    const file = compoundFile({ '\u0005SummaryInformation': stream, ...wordStreams({ pieces: ['plum'] }) });
    expect(said(await describing.read('doc', file))).toEqual({ title: 'Лето', pages: '12' });
  });
});
