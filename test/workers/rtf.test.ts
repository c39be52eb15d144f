import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

const FONTS = '{\\fonttbl{\\f0\\fswiss\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho;}}';
const words = (body: string, head = '\\ansi\\ansicpg1252\\deff0') =>
  reading.words('rtf', Buffer.from(`{\\rtf1${head}${FONTS}${body}}`, 'latin1'));

describe('Rich Text Format', () => {
  it.each([
    [
      'paragraphs, tabs and lines',
      '\\pard One\\par two\\tab three\\line four\\cell five\\row six',
      'one two three four five six',
    ],
    ['words across formatting', '\\b plu\\b0 m {\\i ja}m', 'plum jam'],
    ['line ends of the file, which mean nothing', 'plu\r\nm jam', 'plum jam'],
    ['escaped characters', 'a\\{b\\}c\\\\d half\\_way non\\~breaking', 'a b c d half way non breaking'],
    ['a hyphen where a word may be divided', 'straw\\-berry', 'strawberry'],
    ['special characters', 'one\\emdash two\\rquote s\\bullet three', 'one two s three'],
    [
      'bytes of the code page',
      "caf\\'e9 gr\\'fc\\'dfe \\'80uro",
      'cafe gruße €uro'.replace('€', '').replace('ß', 'ss'),
    ],
    ['Unicode with a fallback', "\\u1051?\\u1077?\\u1090?\\u1086? r\\u233\\'e9sum\\u233 ?", 'лето resume'],
    ['negative numbers, and two for one character', '\\uc1\\u-10179?\\u-8704? \\u-3913?x', 'x'],
    ['several characters of fallback', "\\uc2\\u22799 \\'89\\'c4\\u12398 xx sea", '夏 の sea'],
    ['no fallback', '{\\uc0\\u1051\\u1077\\u1090\\u1086} end', 'лето end'],
    ['the encodings of fonts', "{\\f1 \\'cb\\'e5\\'f2\\'ee} \\'e9t\\'e9", 'лето ete'],
    ['characters of two bytes, also with a letter', "{\\f2 \\'89\\'c4\\'82\\'cc\\'8aC}", '夏 の 海'],
    ['a font of the document', "\\f1\\'cb\\'e5\\plain\\'f2", 'леò'.normalize('NFD').replace('\u0300', '')],
    ['hidden and deleted text', 'one {\\v secret} {\\deleted gone} \\v also\\v0 two', 'one two'],
    [
      'the result of a field',
      '{\\field{\\*\\fldinst HYPERLINK "https://example.org/secret"}{\\fldrslt here}} there',
      'here there',
    ],
    [
      'notes, headers and footers',
      '{\\header above}body{\\footnote below} more{\\footer beneath}',
      'above body below more beneath',
    ],
    ['comments', 'noted{\\*\\annotation a remark} on', 'noted a remark on'],
    ['destinations that are unknown', '{\\*\\company secret} {\\*\\unheardof {\\b secret}} word', 'word'],
    ['descriptions', '{\\info{\\title secret}}{\\stylesheet{\\s0 Normal;}}{\\colortbl;\\red0;} word', 'word'],
    ['pictures', '{\\pict\\pngblip 89504e47{\\b 0d0a}} {\\*\\shppict{\\pict 89504e47}} word', 'word'],
    ['bytes in between', 'one {\\pict\\bin6 }}{{\\\\} two', 'one two'],
    ['a text box', '{\\shp{\\*\\shpinst{\\sp{\\sn a}{\\sv b}}{\\shptxt inside}}} outside', 'inside outside'],
    [
      'the text of a list, without its numbers',
      '{\\listtext 1.\\tab}first\\par{\\pntext\\f0 2.\\tab}second',
      'first second',
    ],
    ['a group that is not closed', 'one {\\b two', 'one two'],
    ['more ends than beginnings', 'one}}} two', 'one two'],
  ])('%s', async (_what, body, expected) => {
    const text = await words(body);
    expect(text.normalize('NFC')).toBe(expected.normalize('NFC'));
  });

  it.each([
    ['\\ansi\\ansicpg1251', "\\'cb\\'e5\\'f2\\'ee", 'лето'],
    ['\\mac', "caf\\'8e", 'cafe'],
    ['\\pc', "caf\\'82", 'cafe'],
    ['\\pca', "caf\\'82", 'cafe'],
    ['\\ansi\\ansicpg65001', "caf\\'c3\\'a9", 'cafe'],
    ['\\ansi\\ansicpg99999', "caf\\'e9", 'cafe'],
  ])('in the encoding %s', async (head, body, expected) => {
    expect(await words(body, head)).toBe(expected);
  });

  it('of another kind, or too deep, is refused', async () => {
    await expect(reading.words('rtf', 'no rtf')).rejects.toMatchObject({ reason: 'unsupported' });
    await expect(reading.words('rtf', `{\\rtf1 ${'{'.repeat(2_000)}x`)).rejects.toMatchObject({ reason: 'corrupt' });
  });

  it('with much other content than text is read to its end', async () => {
    const picture = `{\\pict\\pngblip ${'89504e470d0a1a0a\r\n'.repeat(500_000)}}`;
    expect(await words(`first ${picture} last`)).toBe('first last');
    expect(await words(`${"\\'e9".repeat(300_000)} last`)).toMatch(/^e{64} last$/);
    expect(await words(`${'{\\b x}\\par '.repeat(100_000)}last`)).toMatch(/x last$/);
    expect(await words('\\bin99999999999999 x')).toBe('');
  });
});
