import { describe, expect, it } from 'vitest';
import { LruCache } from '../../dist/server/lib/lru-cache.js';

describe('a cache of limited weight', () => {
  it('evicts the least recently used entries', () => {
    const cache = new LruCache<number>(3);
    for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
    expect(cache.get('a')).toBe(0);
    cache.set('d', 3);
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3]);
  });

  it('counts the weight of entries, also when they are replaced or removed', () => {
    const cache = new LruCache<number>(10, (weight) => weight);
    cache.set('a', 6);
    cache.set('a', 4);
    cache.set('b', 6);
    expect([cache.get('a'), cache.get('b')]).toEqual([4, 6]);
    cache.delete('a');
    cache.delete('a');
    cache.set('c', 4);
    expect([cache.get('b'), cache.get('c')]).toEqual([6, 4]);
    cache.set('large', 100);
    expect([cache.get('b'), cache.get('c'), cache.get('large')]).toEqual([undefined, undefined, 100]);
    cache.set('d', 1);
    expect(cache.get('large')).toBeUndefined();
  });
});
