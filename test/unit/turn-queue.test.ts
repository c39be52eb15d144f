import { expect, it } from 'vitest';
import { TurnQueue } from '../../dist/server/lib/concurrency/turn-queue.js';

const account = (id: string) => ({ kind: 'account', id });
const link = (id: string) => ({ kind: 'link', id });

function all(queue: TurnQueue<string>): string[] {
  const taken: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) taken.push(next);
  return taken;
}

it('alternates between kinds, and within a kind between owners', () => {
  const queue = new TurnQueue<string>(100);
  for (const number of [1, 2, 3]) queue.push(link('a'), `a${number}`);
  for (const number of [1, 2]) queue.push(link('b'), `b${number}`);
  for (const number of [1, 2]) queue.push(account('mia'), `mia${number}`);
  expect(queue.length).toBe(7);
  expect(all(queue)).toEqual(['a1', 'mia1', 'b1', 'mia2', 'a2', 'b2', 'a3']);
  expect([queue.length, queue.shift()]).toEqual([0, undefined]);
});

it('has room for owners with few entries: the newest entry of the owner with most is dropped', () => {
  const queue = new TurnQueue<string>(4);
  for (const number of [1, 2, 3, 4]) expect(queue.push(link(`${number}`), `link${number}`)).toBeNull();
  expect(queue.push(link('1'), 'link1 again')).toBe('link1 again');
  expect(queue.push(account('mia'), 'mia1')).toBe('link1');
  expect(queue.push(account('mia'), 'mia2')).toBe('link2');
  expect(queue.push(account('mia'), 'mia3')).toBe('mia3');
  expect(queue.push(account('ben'), 'ben1')).toBe('mia2');
  expect(queue.length).toBe(4);
  expect(queue.drain().sort()).toEqual(['ben1', 'link3', 'link4', 'mia1']);
  expect(queue.length).toBe(0);
});
