import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { expect, it } from 'vitest';
import { Closers, DID_NOT_CLOSE } from '../../dist/server/lib/async/closers.js';

function closersWithLog() {
  let logged = '';
  const write = (line: string) => {
    logged += line;
  };
  const log = pino({ base: null }, { write });
  const entries = () =>
    logged
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { msg: string; part: string });
  return { closers: new Closers(log), entries };
}

it('closes in reverse order, one part after the other', async () => {
  const { closers, entries } = closersWithLog();
  const order: string[] = [];
  closers.add('database', () => void order.push('database'));
  closers.add('listeners', async () => {
    order.push('listeners closing');
    await turn();
    order.push('listeners closed');
  });
  await closers.close();
  expect(order).toEqual(['listeners closing', 'listeners closed', 'database']);
  expect(entries()).toEqual([]);
  await closers.close();
  expect(order).toHaveLength(3);
});

it('closes the other parts when some fail, and throws the first error', async () => {
  const { closers, entries } = closersWithLog();
  let isClosed = false;
  closers.add('database', () => {
    isClosed = true;
  });
  closers.add('mails', () => Promise.reject(new Error('second')));
  closers.add('workers', () => {
    throw new Error('first');
  });
  await expect(closers.close()).rejects.toThrow('first');
  expect(isClosed).toBe(true);
  expect(entries().map(({ part }) => part)).toEqual(['workers', 'mails']);
  expect(closers.late).toEqual([]);
});

it('continues without a part that does not close, and names it', async () => {
  const { closers, entries } = closersWithLog();
  let isClosed = false;
  let fail = (_error: Error): void => undefined;
  closers.add('database', () => {
    isClosed = true;
  });
  const never = () =>
    new Promise<void>((_resolve, reject) => {
      fail = reject;
    });
  closers.add('catalogue', never, 20);
  await closers.close();
  expect(isClosed).toBe(true);
  expect(closers.late).toEqual(['catalogue']);
  expect(entries().at(-1)).toMatchObject({ msg: DID_NOT_CLOSE, part: 'catalogue' });
  fail(new Error('much later'));
  await turn();
  expect(entries().at(-1)).toMatchObject({ msg: 'a part failed to close', part: 'catalogue' });
});
