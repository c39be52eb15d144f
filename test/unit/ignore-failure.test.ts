import { expect, it } from 'vitest';
import { ignoreFailure } from '../../dist/server/lib/async/ignore-failure.js';
import { bestEffort, settled } from '../../dist/server/lib/async/settled.js';
import { createLog } from '../../dist/server/lib/log/log.js';
import { logIgnoredFailures } from '../../dist/server/lib/log/log-ignored.js';

function logging(level: 'debug' | 'info') {
  const lines: string[] = [];
  const end = logIgnoredFailures(createLog(level, { write: (line) => void lines.push(line) }));
  return { written: () => lines.join(''), end };
}

const failing = () => Promise.reject(new Error('the disk is full'));

it('logs an ignored failure with its error at level debug', async () => {
  const debug = logging('debug');
  const info = logging('info');
  expect(await ignoreFailure(failing(), 'failed to remove a file')).toBeUndefined();
  expect(JSON.parse(debug.written())).toMatchObject({
    level: 'debug',
    msg: 'failed to remove a file',
    err: { message: 'the disk is full' },
  });
  expect(info.written()).toBe('');
  debug.end();
  info.end();
  await ignoreFailure(failing(), 'failed to remove another');
  expect(debug.written()).not.toContain('another');
});

it('returns the result of a promise that does not fail', async () => {
  const debug = logging('debug');
  expect(await ignoreFailure(Promise.resolve(1), 'failed')).toBe(1);
  expect(debug.written()).toBe('');
  debug.end();
});

it('returns what an attempt gave that may fail, and nothing if it failed or was not possible', async () => {
  expect(await bestEffort(Promise.resolve(1))).toBe(1);
  expect(await bestEffort(failing())).toBeUndefined();
  expect(await bestEffort(undefined)).toBeUndefined();
});

it('leaves a failure to others who await the promise', async () => {
  const work = failing();
  expect(await settled(work)).toBeUndefined();
  await expect(work).rejects.toThrow('the disk is full');
});
