import { expect, it } from 'vitest';
import { fileKind } from '../../../dist/server/lib/names/file-types.js';
import { viewerKindOf } from '../../../dist/server/web/viewer/kinds.js';

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
