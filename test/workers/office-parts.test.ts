import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackedZip } from '../support/content/build-zip.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

const words = (extension: string, parts: Readonly<Record<string, string>>) =>
  reading.words(extension, buildPackedZip(Object.entries(parts).map(([name, content]) => ({ name, content }))));

const BASES = {
  transitional: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/',
  strict: 'http://purl.oclc.org/ooxml/officeDocument/relationships/',
};

/** @param targets by type, a number after it tells several apart */
const rels = (targets: Readonly<Record<string, string>>, base = BASES.transitional) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Type="${base}${id.replace(/\d+$/, '')}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const text = (content: string) => `<x xmlns:r="r"><p><t>${content}</t></p></x>`;
const shared = '<sst><si><t>Strom</t></si></sst>';
const sheet = '<worksheet><c t="inlineStr"><is><t>inline</t></is></c></worksheet>';
const workbook = '<workbook><sheets><sheet name="Haus" sheetId="1" r:id="worksheet1"/></sheets></workbook>';

describe('a part of a workbook', () => {
  it.each([
    ['xl/workbook.xml', 'xl/SharedStrings.xml', 'xl/worksheets/sheet1.xml'],
    ['xl/workbook.xml', 'xl/sharedStrings.xml', 'xl/worksheets/Sheet1.xml'],
    ['xl\\workbook.xml', 'xl\\sharedStrings.xml', 'xl\\worksheets\\sheet1.xml'],
    ['XL/Workbook.XML', 'XL/SHAREDSTRINGS.XML', 'XL/Worksheets/SHEET1.XML'],
  ])('is found regardless of case and slashes: %s, %s, %s', async (main, strings, page) => {
    expect(await words('xlsx', { [main]: workbook, [strings]: shared, [page]: sheet })).toBe('haus strom inline');
  });

  it.each(Object.entries(BASES))('has any name that a %s relationship gives it', async (_form, base) => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: '/book/main.xml' }, base),
      'book/main.xml': workbook,
      'book/_rels/main.xml.rels': rels({ sharedStrings: '../texts.xml', worksheet1: 'Mein%20Blatt.xml' }, base),
      'texts.xml': shared,
      'book/Mein Blatt.xml': sheet,
      'book/_rels/Mein Blatt.xml.rels': rels({ comments: 'notes.xml' }, base),
      'book/notes.xml': '<comments><comment><t>Notiz</t></comment></comments>',
    };
    expect(await words('xlsx', parts)).toBe('haus strom inline notiz');
  });
});

describe('a document', () => {
  it('has its parts by relationships, and no others', async () => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'word/document2.xml' }),
      'word/document2.xml': text('body'),
      'word/document.xml': text('earlier'),
      'word/_rels/document2.xml.rels': rels({
        comments: 'my-comments.xml',
        footnotes: 'notes/foot.xml',
        header1: '/word/top.xml',
        footer1: 'missing.xml',
        image: 'document.xml',
      }),
      'word/my-comments.xml': text('comment'),
      'word/notes/foot.xml': text('foot'),
      'word/top.xml': text('top'),
    };
    expect(await words('docx', parts)).toBe('body top foot comment');
  });

  it('may refer to itself, to what is not there, and elsewhere', async () => {
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'word/document.xml' }),
      'word/document.xml': text('body'),
      'word/_rels/document.xml.rels': rels({
        header1: 'document.xml',
        header2: '../../../etc/passwd',
        header3: 'http://127.0.0.1:9/x.xml',
        header4: '%',
      }),
    };
    expect(await words('docx', parts)).toBe('body');
    expect(await words('docx', { ...parts, '_rels/.rels': rels({ officeDocument: 'none.xml' }) })).toBe('body');
  });
});

describe('a presentation', () => {
  it('is read in its own order, then its notes', async () => {
    const ids = ['slide3', 'slide1', 'slide2'].map((id) => `<p:sldId id="256" r:id="${id}"/>`).join('');
    const parts = {
      '_rels/.rels': rels({ officeDocument: 'ppt/presentation.xml' }),
      'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': rels({
        slide1: 'slides/a.xml',
        slide2: 'slides/b.xml',
        slide3: 'slides/c.xml',
      }),
      'ppt/slides/a.xml': text('second'),
      'ppt/slides/b.xml': text('third'),
      'ppt/slides/c.xml': text('first'),
      'ppt/slides/removed.xml': text('removed'),
      'ppt/slides/_rels/b.xml.rels': rels({ notesSlide: '../notes.xml' }),
      'ppt/notes.xml': text('note'),
    };
    expect(await words('pptx', parts)).toBe('first second third note');
  });
});
