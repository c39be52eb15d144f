import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedName } from '../../../dist/server/lib/names/allowed-name.js';
import { newNameProblem } from '../../../dist/server/lib/names/names.js';
import { fittingName } from '../../../dist/server/lib/names/portable-name.js';
import { utf8Length } from '../../../dist/server/lib/names/utf8-length.js';

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

describe('an allowed name for a file of another device', () => {
  it.each([
    ['photo.jpg', 'photo.jpg'],
    ['e\u0301.jpg', 'e\u0301.jpg'],
    ['Screenshot 10:30:15?.png', 'Screenshot 10_30_15_.png'],
    ['aux.jpg', '_aux.jpg'],
    ['photo.jpg. ', 'photo.jpg'],
    ['\ud800.jpg', '\ufffd.jpg'],
    ['', '_'],
    [`${'😀'.repeat(80)}.jpg`, `${'😀'.repeat(62)}.jpg`],
  ])('for %j is %j', (name, allowed) => {
    expect(allowedName(name)).toBe(allowed);
  });

  it('is the same name if that is allowed, and otherwise another one that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const allowed = allowedName(name);
        expect(newNameProblem(allowed)).toBeNull();
        if (newNameProblem(name) === null) expect(allowed).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });
});

it('the length of a name in UTF-8 is the one that Node.js writes', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => utf8Length(text) === Buffer.byteLength(text)));
});
