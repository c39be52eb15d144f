import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkParameters } from '../../../dist/server/http/request/check-parameters.js';
import {
  keyedTexts,
  listOf,
  listOfIntegers,
  textList,
  virtualPaths,
} from '../../../dist/server/http/request/parameters.js';
import { parseForm } from '../../../dist/server/http/request/read-parameters.js';

describe('brackets in forms', () => {
  it.each([
    ['a[]=x&a[]=y', { a: ['x', 'y'] }],
    ['a[b]=x', { a: { b: 'x' } }],
    ['a[7]=x', { a: { 7: 'x' } }],
    ['a[7]=x&a[3]=y', { a: { 3: 'y', 7: 'x' } }],
    ['a%5B7%5D=x', { a: { 7: 'x' } }],
    ['a[7][]=x&a[7][]=y&a[tag][]=z', { a: { 7: ['x', 'y'], tag: ['z'] } }],
    ['a[123456789012][]=x', { a: { 123456789012: ['x'] } }],
    ['a[__proto__][b]=x', {}],
    ['a=[7]', { a: '[7]' }],
  ])('%s', (form, expected) => {
    expect(parseForm(form)).toEqual(expected);
  });

  it.each(['a=x', 'a[]=x', 'a[0]=x', 'a[3]=x'])('reads a list of one from %s', (form) => {
    const lists = [listOf(['x']), textList()];
    for (const list of lists) expect(checkParameters(z.object({ a: list }), parseForm(form)).a).toEqual(['x']);
  });

  it('reads numbered lists in the order of their numbers', () => {
    const numbered = parseForm('a[2]=9&a[0]=7&a[1]=8');
    expect(checkParameters(z.object({ a: listOfIntegers({ min: 1, max: 9, most: 3 }) }), numbered).a).toEqual([
      7, 8, 9,
    ]);
    const paths = parseForm('a[1]=/b&a[0]=/a');
    expect(checkParameters(z.object({ a: virtualPaths(2) }), paths).a).toEqual([['a'], ['b']]);
  });

  it.each([
    ['a[7]=x', [['7', ['x']]]],
    [
      'a[7][]=x&a[7][]=y&a[-]=z',
      [
        ['7', ['x', 'y']],
        ['-', ['z']],
      ],
    ],
    ['a[7]=', [['7', []]]],
    ['a=', []],
  ])('reads texts by keys from %s', (form, expected) => {
    const { a } = checkParameters(z.object({ a: keyedTexts() }), parseForm(form));
    expect([...a]).toEqual(expected);
  });

  it.each(['a=x', 'a[]=x', 'a[b][c][d]=x', 'a[b][]=x&a[b][][c]=y'])('reads no texts by keys from %s', (form) => {
    expect(() => checkParameters(z.object({ a: keyedTexts() }), parseForm(form))).toThrow('"a"');
  });
});
