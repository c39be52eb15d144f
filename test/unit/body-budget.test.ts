import { expect, it } from 'vitest';
import { BodyBudget } from '../../dist/server/http/request/body-budget.js';

const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as never;
const REFUSED = expect.objectContaining({ code: 'temporarily_unavailable', status: 503 });

it('bounds what all requests hold, and what one address does', () => {
  const budget = new BodyBudget(100, 60);
  const [one, same, other] = [from('192.0.2.1'), from('192.0.2.1'), from('192.0.2.2')].map((one) => budget.open(one));
  one?.add(40);
  same?.add(20);
  expect(() => same?.add(1)).toThrow(REFUSED);
  other?.add(40);
  expect(() => other?.add(1)).toThrow(REFUSED);
  expect(budget.total).toBe(100);
  one?.release();
  one?.release();
  expect(budget.total).toBe(60);
  same?.add(40);
  for (const share of [same, other]) share?.release();
  expect(budget.total).toBe(0);
});

it('counts an IPv6 network as one address', () => {
  const budget = new BodyBudget(100, 60);
  budget.open(from('2001:db8::1')).add(60);
  expect(() => budget.open(from('2001:db8::2')).add(1)).toThrow(REFUSED);
  budget.open(from('2001:db8:0:1::1')).add(1);
});
