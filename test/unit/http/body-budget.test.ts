import { describe, expect, it } from 'vitest';
import { BodyBudget } from '../../../dist/server/http/request/body-budget.js';

const KB = 1_024;
const from = (remoteAddress: string) => ({ socket: { remoteAddress }, headers: {} }) as never;
const REFUSED = expect.objectContaining({ code: 'temporarily_unavailable', status: 503 });
const small = { all: 200 * KB, ofAddress: 100 * KB };
const large = { all: 100 * KB, ofAddress: 60 * KB };

describe('the memory of request bodies', () => {
  it('is limited in total and per address, and released', () => {
    const budget = new BodyBudget(small, large);
    const [one, same] = [budget.open(from('192.0.2.1')), budget.open(from('192.0.2.1'))];
    one.add(60 * KB);
    same.add(40 * KB);
    expect(() => same.add(1)).toThrow(REFUSED);
    const other = budget.open(from('192.0.2.2'));
    other.add(60 * KB);
    expect(budget.total).toBe(160 * KB);
    one.release();
    one.release();
    expect(budget.total).toBe(100 * KB);
    same.add(20 * KB);
    for (const share of [same, other]) share.release();
    expect(budget.total).toBe(0);
  });

  it('is not used for the rest of a refused body', () => {
    const budget = new BodyBudget(small, large);
    const one = budget.open(from('192.0.2.1'));
    one.add(10 * KB);
    one.release();
    one.add(90 * KB);
    expect(budget.total).toBe(0);
  });

  it('for large bodies leaves room for small ones', () => {
    const budget = new BodyBudget({ all: 1_000 * KB, ofAddress: 1_000 * KB }, large);
    const shares = ['192.0.2.1', '192.0.2.2'].map((address) => budget.open(from(address)));
    shares[0]?.add(64 * KB + 60 * KB);
    expect(() => shares[0]?.add(1)).toThrow(REFUSED);
    shares[1]?.add(64 * KB + 40 * KB);
    expect(() => shares[1]?.add(1)).toThrow(REFUSED);
    budget.open(from('192.0.2.3')).add(64 * KB);
    budget.open(from('192.0.2.1')).add(200);
  });

  it('counts an IPv6 network as one address', () => {
    const budget = new BodyBudget(small, large);
    budget.open(from('2001:db8::1')).add(60 * KB);
    expect(() => budget.open(from('2001:db8::2')).add(60 * KB)).toThrow(REFUSED);
    budget.open(from('2001:db8:0:1::1')).add(60 * KB);
  });
});
