import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { escapeXml } from '../../../dist/server/webdav/xml/xml-tree.js';

/** What a strict parser reads from a text in an element, and from the same text in an attribute. */
function read(escaped: string): string[] {
  const found: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ attributes }) => found.push(String(attributes.of)));
  parser.on('text', (text) => found.push(text));
  parser.write(`<name of="${escaped}">${escaped}</name>`).close();
  return found;
}

it.each(['&', '<', '>', '"', '&amp;', ']]>', '"quoted" & <tagged>', 'x&', '&x', "it's", 'größer 日本 😀', '😀&😀'])(
  '%j is parsed back unchanged',
  (text) => expect(read(escapeXml(text))).toEqual([text, text]),
);

it('keeps a carriage return in an element and an attribute', () => {
  expect(read(escapeXml('a\rb'))).toEqual(['a\rb', 'a\rb']);
});

it.each([
  ['a\u0000b', 'a\ufffdb'],
  ['\u001b[31m', '\ufffd[31m'],
  ['a\uffff', 'a\ufffd'],
  ['half \ud83d', 'half \ufffd'],
  ['\ude00&', '\ufffd&'],
])('%j, which XML cannot express, becomes %j', (text, expected) => {
  expect(read(escapeXml(text))).toEqual([expected, expected]);
});

it('returns every other text unchanged', () => {
  const text = 'IMG_0001 (copy) ~ #1 % + = ; ö.jpg';
  expect(escapeXml(text)).toBe(text);
});
