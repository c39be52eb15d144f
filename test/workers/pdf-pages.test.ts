import { afterAll, beforeAll, expect, it } from 'vitest';
import { HELVETICA, lines, onePage, stream, write } from './reference/pdf/build.ts';
import { openTextReader, type TextReading } from './text-support.ts';

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

const FORM = `/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F ${HELVETICA}>>>>`;

/** The words of a page with these notes. */
function withNotes(...notes: readonly string[]): Promise<string> {
  const page = {
    content: lines('(Letter)'),
    entries: `/Annots[${notes.map((_, index) => `#${index}`).join(' ')}]`,
    catalog: `/AcroForm<</Fields[${notes.map((_, index) => `#${index}`).join(' ')}]>>`,
    further: notes.map((note) => `<</Type/Annot/Rect[50 500 300 520]/DA(/F 12 Tf)${note}>>`),
  };
  return reading.words('pdf', write(onePage(page)));
}

it.each([
  ['what was filled in', '/Subtype/Widget/FT/Tx/T(Name)/V(Marlene)', 'letter marlene'],
  ['what was chosen', '/Subtype/Widget/FT/Ch/T(City)/Opt[(Rome)(Berlin)]/V(Berlin)', 'letter berlin'],
  ['a note', '/Subtype/Text/Contents(Call grandmother)', 'letter call grandmother'],
  ['a text on the page', '/Subtype/FreeText/Contents(Signed)', 'letter signed'],
])('%s is found', async (_what, note, words) => {
  expect(await withNotes(note)).toBe(words);
});

it.each([
  ['a hidden field', '/F 2/Subtype/Widget/FT/Tx/T(Name)/V(Marlene)'],
  ['a password', '/Subtype/Widget/FT/Tx/Ff 8192/T(Code)/V(Marlene)'],
  ['a box that is ticked', '/Subtype/Widget/FT/Btn/T(Agree)/V/Yes/AS/Yes'],
])('%s is not found', async (_what, note) => {
  expect(await withNotes(note)).toBe('letter');
});

it.each(['99 0 R', '[99 0 R null 5 (x)]', '[<</Subtype/Widget/FT/Tx/V 5/Rect null>>]', '7'])(
  'damaged annotations are skipped: %s',
  async (notes) => {
    const page = { content: lines('(Letter)'), entries: `/Annots ${notes}` };
    expect(await reading.words('pdf', write(onePage(page)))).toBe('letter');
  },
);

it('a word with wide letter spacing is one word', async () => {
  const content = 'BT /F 12 Tf 2 Tc 50 700 Td (Stretched words a b) Tj ET';
  expect(await reading.words('pdf', write(onePage({ content })))).toBe('stretched words a b');
});

it('a part that is shown twice yields its words twice', async () => {
  const part = stream('BT /F 12 Tf 50 700 Td (inside of it) Tj ET', 'flate', FORM);
  const page = { content: '/X Do q 1 0 0 1 0 -99 cm /X Do Q', resources: '/XObject<</X #0>>', further: [part] };
  expect(await reading.words('pdf', write(onePage(page)))).toBe('inside of it inside of it');
});
