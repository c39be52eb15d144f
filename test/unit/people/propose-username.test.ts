import { expect, it } from 'vitest';
import { freeUsername, usernameFor } from '../../../dist/renderer-modules/panel/people/propose-username.js';

it.each([
  ['Mia Fern', 'mia'],
  ['  Zoë  ', 'zoe'],
  ['Łukasz', 'lukasz'],
  ['Ħanna', 'hanna'],
  ['Åse-Marie', 'ase-marie'],
  ['Weiß', 'weiss'],
  ['İrem', 'irem'],
  ['Tiệp', 'tiep'],
  ['ﬁona', 'fiona'],
  ["O'Neil", 'oneil'],
  ['J. R.', 'j.'],
  // Their marks are parts of letters.
  ['Андрей', 'андрей'],
  ['Ανδρέας', 'ανδρέας'],
  ['प्रिया', 'प्रिया'],
  ['美咲', '美咲'],
  ['!?', ''],
])('the user name proposed for %j is %j', (name, username) => {
  expect(usernameFor(name)).toBe(username);
});

it('a proposed user name that is taken gets the first free number', () => {
  expect(freeUsername('mia', new Set())).toBe('mia');
  expect(freeUsername('mia', new Set(['mia', 'mia2']))).toBe('mia3');
  expect(freeUsername('', new Set(['']))).toBe('');
});
