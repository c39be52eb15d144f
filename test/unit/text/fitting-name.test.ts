import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newNameProblem } from '../../../dist/server/lib/names/names.js';
import { fittingName } from '../../../dist/server/lib/names/portable-name.js';

describe('a name from another system', () => {
  it.each([
    ['photo.jpg', 'photo.jpg'],
    ['a:b?.txt', 'a_b_.txt'],
    ['CON.txt', '_CON.txt'],
    ['trailing. ', 'trailing'],
    ['...', 'file'],
    ['', 'file'],
    ['e\u0301.txt', '\u00e9.txt'],
    [`${'ü'.repeat(200)}.jpg`, `${'ü'.repeat(125)}.jpg`],
  ])('%j becomes %j', (name, fitting) => {
    expect(fittingName(name, true)).toBe(fitting);
  });

  it('is always valid on every system, and unchanged if it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.boolean(), (name, isFile) => {
        const fitting = fittingName(name, isFile);
        expect(newNameProblem(fitting)).toBeNull();
        expect(fittingName(fitting, isFile)).toBe(fitting);
      }),
      { numRuns: 2_000 },
    );
  });
});
