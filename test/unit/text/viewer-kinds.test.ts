import { expect, it } from 'vitest';
import { fileKind } from '../../../dist/server/lib/names/file-types.js';
import { viewerKindOf } from '../../../dist/server/web/viewer/kinds.js';
import { textOf } from '../../../dist/server/web/viewer/text-content.js';

it.each([
  ['Lake.JPG', 'picture'],
  ['Lake.heic', null],
  ['mark.svg', 'text'],
  ['mark.svgz', null],
  ['page.html', 'text'],
  ['feed.xml', 'text'],
  ['page.xhtml', 'text'],
  ['jars.csv', 'text'],
  ['budget.xlsx', null],
  ['notes.md', 'markdown'],
  ['README.markdown', 'markdown'],
  ['Contract.PDF', 'pdf'],
  ['film.mp4', 'video'],
  ['film.mkv', null],
  ['song.flac', 'audio'],
  ['list.m3u', null],
  ['letter.docx', null],
  ['scans.zip', null],
  ['constructor', null],
  ['x.constructor', null],
  ['.pdf', null],
])('%s is shown as %s', (name, kind) => {
  expect(viewerKindOf(name, fileKind(name, false).type)).toBe(kind);
});

it('reads text in the letters that it is written in, and takes nothing else for text', () => {
  expect(textOf(Buffer.from('jam – six'))).toBe('jam – six');
  expect(textOf(Buffer.from('jam – six').subarray(0, 6))).toBe('jam ');
  expect(textOf(Buffer.from('\ufeffjam', 'utf16le'))).toBe('jam');
  expect(textOf(Buffer.from([0x6a, 0xe4, 0x6d]))).toBe('jäm');
  expect(textOf(Buffer.from([0x89, 0x50, 0, 1]))).toBeNull();
  expect(textOf(Buffer.alloc(0))).toBe('');
});
