import { describe, expect, it } from 'vitest';
import { contentOf, editedText } from '../../../dist/server/lib/text/edited-text.js';

const bytes = (text: string) => Buffer.from(text);

describe('a text that is edited', () => {
  it.each([
    ['', '', 'lf', false],
    ['one', 'one', 'lf', false],
    ['one\ntwo\n', 'one\ntwo\n', 'lf', false],
    ['one\r\ntwo\r\n', 'one\ntwo\n', 'crlf', false],
    ['\uFEFFone\r\n', 'one\n', 'crlf', true],
    ['\uFEFF', '', 'lf', true],
    ['\uFEFF\uFEFFone', '\uFEFFone', 'lf', true],
    ['\n\n\tGrüße 👋\f', '\n\n\tGrüße 👋\f', 'lf', false],
  ])('of %j is the same again when it is saved unchanged', (content, text, ending, hasMark) => {
    const edited = editedText(bytes(content));
    expect(edited).toEqual({ text, format: { ending, hasMark }, isMixed: false });
    expect(contentOf(text, { ending, hasMark } as never)).toEqual(bytes(content));
    // Browsers send every line with both characters.
    expect(contentOf(text.replaceAll('\n', '\r\n'), { ending, hasMark } as never)).toEqual(bytes(content));
  });

  it.each([
    ['a\nb\r\nc\r\n', 'crlf'],
    ['a\nb\nc\r\n', 'lf'],
  ])('with the different line endings of %j gets the more frequent one', (content, ending) => {
    expect(editedText(bytes(content))?.format.ending).toBe(ending);
    expect(editedText(bytes(content))?.isMixed).toBe(true);
  });

  it.each([
    ['Latin-1', Buffer.from([0x47, 0xfc, 0x6e])],
    ['UTF-16', Buffer.from('\uFEFFone', 'utf16le')],
    ['ISO-2022-JP', Buffer.from([0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42])],
    ['a cut character', Buffer.from([0x61, 0xe2, 0x82])],
    ['zeros', Buffer.alloc(4)],
  ])('is nothing in %s', (_encoding, content) => {
    expect(editedText(content)).toBeNull();
  });
});
