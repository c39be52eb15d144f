import { describe, expect, it } from 'vitest';
import { findGaps } from './check.ts';
import { contents } from './contents.ts';
import { testsIn } from './sources.ts';
import { type Section, summary } from './table.ts';

it('every statement of the API document has tests, and they are there', () => {
  expect(findGaps(contents)).toEqual([]);
});

it('the API’s document, statement by statement', ({ task }) => {
  const counts = summary();
  expect(counts.map(({ id }) => id)).toEqual([...contents.map(({ id }) => id), '']);
  const whole = counts.at(-1);
  task.meta.trust = {
    tried: `${whole?.statements} statements of the API’s document, typed by hand`,
    found: `${whole?.proven} with a test that fails when it is not so`,
  };
  expect(whole?.statements).toBe(contents.flatMap(({ statements }) => statements).length);
  expect(whole?.proven).toBe(contents.flatMap(({ statements }) => statements).filter(({ proof }) => proof[0]).length);
});

describe('the reader of tests', () => {
  const SOURCES: Readonly<Record<string, string>> = {
    'test/a.test.ts': `
      import { ROWS } from './rows.ts';
      const OWN = [['one', 1], ['two', 2]] as const;
      const CASES = ROWS.map((row) => [row.of, row] as const);
      describe('box', () => {
        it('holds', async () => { it('is no test of this kind'.length, 5); });
        it.each(OWN)('takes %s', () => {});
        it.each(CASES)('does %s', () => {});
        it.skip('is left out', () => {});
        itInFull('is of the full form', () => {});
        describe.each([['x']])('with %s', () => { test('stands', () => {}); });
      });
      describeInFull('a box in full', () => { it('is full', () => {}); });
      it.runIf(OWN.length > 0)('holds', () => {});
      it(\`says \${OWN}\`, () => {});
      // it('is a comment', () => {});
    `,
    'test/rows.ts': `export const ROWS: Row[] = [{ of: 'files/star', what: 'a file', call: () => {} }];`,
  };
  const tests = (path: string) => testsIn(path, (name) => SOURCES[name] ?? null);

  it('knows titles as they are written, and what they stand in', () => {
    expect(tests('test/a.test.ts').map(({ titles }) => titles.join(' > '))).toEqual([
      'box > holds',
      'box > takes %s',
      'box > does %s',
      'box > with %s > stands',
      'holds',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a title
      'says ${OWN}',
    ]);
    expect(tests('test/none.test.ts')).toEqual([]);
  });

  it('knows the rows of tables, also of those that another file has', () => {
    const rows = tests('test/a.test.ts').map((test) => [...test.rows]);
    expect(rows[1]).toEqual(['one', 'two']);
    expect(rows[2]).toContain('files/star, a file');
    expect(rows[3]).toEqual(['x']);
  });

  const section = (...proofs: string[][]): readonly Section[] => [
    { id: '1', title: 'One', statements: proofs.map((proof, at) => ({ id: `1.${at + 1}`, says: 'It is so.', proof })) },
  ];
  const gaps = (sections: readonly Section[]) => findGaps(sections, tests);

  it('takes references that are there', () => {
    const proof = ['test/a.test.ts: box > holds', 'test/a.test.ts: takes %s › one', 'test/a.test.ts: stands'];
    expect(gaps(section(proof, ['test/a.test.ts: does %s › files/star, a file']))).toEqual([]);
  });

  it.each([
    ['a title that is not there', 'test/a.test.ts: is a comment', /no test "is a comment"/],
    ['a test that is skipped', 'test/a.test.ts: is left out', /no test/],
    ['a test of the full form', 'test/a.test.ts: is of the full form', /no test/],
    ['a test in a suite of the full form', 'test/a.test.ts: is full', /no test/],
    ['a file that is not there', 'test/none.test.ts: holds', /no tests in/],
    ['a title that is there twice', 'test/a.test.ts: holds', /more than one/],
    ['a row that is not there', 'test/a.test.ts: takes %s › three', /no row "three"/],
    ['no reference', 'holds', /is no reference/],
  ])('finds %s', (_what, reference, gap) => {
    expect(gaps(section([reference]))).toEqual([expect.stringMatching(gap)]);
  });

  it('finds statements without a proof, ids that are there twice, and sections without statements', () => {
    expect(gaps(section([]))).toEqual(['1.1: has no proof, and does not say why']);
    const [one] = section(['test/a.test.ts: takes %s']) as [Section];
    const twice = { ...one, statements: [...one.statements, ...one.statements] };
    expect(gaps([twice])).toEqual(['1.1 is there twice']);
    expect(gaps([one, one])).toEqual(['section 1 is there twice', '1.1 is there twice']);
    expect(gaps([{ id: '2', title: 'Two', statements: [] }])).toEqual(['section 2 has no statement']);
    expect(gaps([{ ...one, id: '2' }])).toEqual(['1.1 is no number in section 2']);
    const idle = [{ id: '2.1', says: 'Elsewhere.', proof: [], why: 'Nothing here can try it.' }];
    expect(gaps([{ id: '2', title: 'Two', statements: idle }])).toEqual([]);
  });
});
