import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decoderOf } from '../../dist/server/workers/encodings/decoders.js';
import { encodingOfNames, encodingOfText } from '../../dist/server/workers/encodings/guess.js';
import { encode } from '../support/content/encode.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

/** With its mark. */
const utf32 = (text: string, isBig: boolean) =>
  Buffer.concat(
    [...`\ufeff${text}`].map((char) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(char.codePointAt(0) ?? 0);
      return isBig ? bytes.reverse() : bytes;
    }),
  );

describe('a short text', () => {
  it.each([
    ['gbk', '测试'],
    ['gbk', '@echo off\r\necho 中文测试\r\n'],
    ['shift_jis', '請求書'],
    ['euc-jp', '会議メモ'],
    ['euc-kr', '청구서'],
    ['big5', '購物清單'],
    ['windows-1251', 'Пароль'],
    ['koi8-r', 'Пароль'],
    ['windows-1254', 'Doğum günü'],
    ['windows-1250', 'Łódź'],
    ['windows-1252', 'crème brûlée'],
    ['windows-1252', '20 °C, “warm”'],
  ])('is detected in %s by its letters: %s', (encoding, text) => {
    const bytes = encode(text, encoding);
    expect(decoderOf(encodingOfText(bytes))?.decode(bytes)).toBe(text);
  });

  it('is decoded as windows-1252 without evidence', () => {
    expect(encodingOfText(Buffer.from('ascii'))).toBe('windows-1252');
    expect(encodingOfNames(Buffer.from('ascii'))).toBe('cp437');
  });
});

describe('encodings outside of the Encoding Standard', () => {
  it.each([
    ['cp850', [0x53, 0xc6, 0x6f], 'São'],
    ['cp437', [0x4b, 0x81, 0x63, 0x68, 0x65], 'Küche'],
    ['utf-7', Buffer.from('Gr+APYA3w-e'), 'Größe'],
    ['iso-8859-16', [0xaa, 0xba, 0xe3], 'Șșă'],
    ['latin9', [0xa4, 0x75, 0x72, 0xa8], '€urš'],
  ])('are decoded if a document declares them: %s', async (charset, bytes, text) => {
    const mail = Buffer.concat([
      Buffer.from(`Content-Type: text/plain; charset=${charset}\r\n\r\n`),
      Buffer.from(bytes as readonly number[]),
    ]);
    expect(await reading.words('eml', mail)).toBe(await reading.words('txt', text));
  });
});

describe('characters that were added to an encoding later, as Python writes them', () => {
  it.each([
    ['euc-kr', 'bfc0b4c3c0ba20bcf6c7d020bdc3c7e8c0cc2089e7b4d9b0ed', '오늘은 수학 시험이 됬다고'],
    ['euc-kr', '8c63b9e6b0a2c7cf20bc84bdc3c4ddb6f320c7d1b1db', '똠방각하 펲시콜라 한글'],
    ['big5', 'adbbb4e49defa4d1aef0a66ea66ea141ca5c925da5689df7', '香港嘅天氣好好，佢哋去咗'],
  ])('are detected in %s: %s', (encoding, hex, text) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(encodingOfText(bytes)).toBe(encoding);
    expect(decoderOf(encoding)?.decode(bytes)).toBe(text);
  });

  it.each([
    ['ks_c_5601-1987', '8c63b9e6', '똠방'],
    ['euc-kr', '94ee', '뷁'],
    ['big5-hkscs', '9def', '嘅'],
  ])('are decoded if a message declares %s', async (charset, hex, text) => {
    const word = Buffer.from(hex, 'hex').toString('base64');
    expect(await reading.words('eml', Buffer.from(`Subject: =?${charset}?B?${word}?=\r\n\r\n`))).toBe(
      await reading.words('txt', text),
    );
  });
});

describe('a text in seven bits, as Python writes it', () => {
  it.each([
    ['ISO-2022-JP-1', '1b244234413b7a1b2842201b24284430211b284220656e64', '漢字 丂 end'],
    [
      'ISO-2022-JP-2',
      '1b2442467c4b5c1b2842201b2428443d7b1b244239251b2842201b242843475131393e6e1b2842206361661b2e411b4e69201b24422645264b1b28420a656e64',
      '日本 您好 한국어 café ελ\nend',
    ],
    ['ISO-2022-JP-2 with Chinese and Greek', '1b2441446330211b2842201b2e461b4e65', '你啊 ε'],
    ['ISO-2022-JP-2004', '1b24424e594a3f1b2428512d6a2e221b284220656e64', '隣平㈱〓 end'],
    ['ISO-2022-KR', '1b2429430a0e407c31620f200e3f64315d0f', '\n전기 요금'],
    ['HZ', '7e7b393a4e6f476535257e7d206d696c6b', '购物清单 milk'],
  ])('is detected by its escape sequences: %s', async (_encoding, hex, text) => {
    expect(await reading.decode({ content: Buffer.from(hex, 'hex'), isCut: false, isMarkup: false })).toBe(text);
  });

  it('may begin with a lot of ASCII', async () => {
    const log = `${'plain line\n'.repeat(10_000)}\x1b$B@A5a=q\x1b(B`;
    expect((await reading.words('txt', log)).slice(-10)).toBe('line 請 求 書');
  });

  it.each(['sigil = ~{abcd~}', '\x1b[31mred\x1b[0m ~{', 'a \x1b$)C b'])('is ASCII without them: %j', async (text) => {
    expect(await reading.decode({ content: Buffer.from(text), isCut: false, isMarkup: false })).toBe(text);
  });
});

describe('a text in UTF-8 with a damage', () => {
  const long = 'Grüße aus Köln für die nächste größere Straße. '.repeat(10);

  it.each([
    ['a byte that belongs to nothing', Buffer.from([0xfc])],
    ['half a letter', Buffer.from([0xe2, 0x82])],
  ])('stays in UTF-8: %s', async (_what, bytes) => {
    const content = Buffer.concat([Buffer.from(long), bytes, Buffer.from(' für alle')]);
    expect(await reading.decode({ content, isCut: false, isMarkup: false })).toBe(`${long}\ufffd für alle`);
  });

  it('is no reason to read another encoding as UTF-8', async () => {
    const content = Buffer.concat([encode(long, 'windows-1252'), Buffer.from('Köln')]);
    expect((await reading.decode({ content, isCut: false, isMarkup: false })).slice(0, 5)).toBe('Grüße');
  });
});

describe('a text to display', () => {
  const decoded = (content: Uint8Array, more: Partial<{ isCut: boolean; isMarkup: boolean }> = {}) =>
    reading.decode({ content, isCut: false, isMarkup: false, ...more });

  it.each([
    ['ISO-2022-JP', Buffer.from('\x1b$B@A5a=q\x1b(B'), '請求書'],
    ['UTF-16 without a mark', Buffer.from('Счёт за воду', 'utf16le'), 'Счёт за воду'],
    ['Shift_JIS', encode('会議メモ', 'shift_jis'), '会議メモ'],
    ['UTF-32, little-endian', utf32('Größe 日本 😀', false), 'Größe 日本 😀'],
    ['UTF-32, big-endian', utf32('Größe 日本 😀', true), 'Größe 日本 😀'],
    ['UTF-8 with its mark', Buffer.from('\ufeffjam – six'), 'jam – six'],
  ])('is decoded in the same way as for the search: %s', async (_encoding, content, text) => {
    expect(await decoded(content)).toBe(text);
  });

  it('is decoded with the declared encoding if it is markup', async () => {
    const page = encode('<meta charset="windows-1251"><p>да', 'windows-1251');
    expect(await decoded(page, { isMarkup: true })).toBe('<meta charset="windows-1251"><p>да');
  });

  it('can end within a character', async () => {
    const long = encode(`a${'請求書'.repeat(50_000)}`, 'shift_jis').subarray(0, 256 * 1024);
    expect((await decoded(long, { isCut: true })).slice(-3)).toBe('求書請');
    const jam = Buffer.from(`\ufeff${'jam'.repeat(100)}`, 'utf16le').subarray(0, -1);
    expect((await decoded(jam, { isCut: true })).slice(-3)).toBe('mja');
    expect(await decoded(Buffer.from('jam – six').subarray(0, 6), { isCut: true })).toBe('jam ');
  });

  it('is refused if it is binary or too long', async () => {
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex');
    await expect(decoded(picture)).rejects.toMatchObject({ reason: 'unsupported' });
    await expect(decoded(Buffer.alloc(256 * 1024 + 1, 'x'))).rejects.toThrow();
  });
});
