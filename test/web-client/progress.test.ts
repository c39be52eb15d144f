import { afterEach, describe, expect, it, vi } from 'vitest';
import { bidiIsolate } from '../../dist/server/lib/text/bidi-isolate.js';
import { humanSize } from '../../dist/server/listing/human.js';
import { t } from '../../dist/server/messages/messages.js';
import { isolateValues, sizeOf } from '../../dist/web-client-modules/lib/format.js';
import { encodeQuery } from '../../dist/web-client-modules/lib/requests.js';
import { createTimeEstimate, totalsOf } from '../../dist/web-client-modules/upload/progress.js';
import { forget, forgetExpired, hashKey, recall, remember } from '../../dist/web-client-modules/upload/resume-keys.js';

it('formats sizes like the server', () => {
  for (const bytes of [0, 1, 13, 1023, 1024, 1434, 102_348, 102_349, 1_048_063, 1_048_064, 128 * 1024 ** 3, 4e12]) {
    const { unit, amount } = sizeOf(bytes);
    const text = unit === 'bytes' ? t('sizes.bytes', { count: Number(amount) }) : t(`sizes.${unit}`, { amount });
    expect(text).toBe(humanSize(bytes));
  }
});

it('isolates names so that they do not change the direction of a sentence', () => {
  expect(isolateValues({ name: 'a.txt', count: 3 })).toEqual({ name: 'a.txt', count: 3 });
  expect(isolateValues({ name: 'קובץ.txt' })).toEqual({ name: '\u2066\u2068קובץ\u2069.txt\u2069' });
  expect(isolateValues({ name: '\u202ea\u2069b' })).toEqual({ name: '\ufffda\ufffdb' });
  expect(isolateValues()).toEqual({});
  const pieces = [
    'a',
    '.',
    ' ',
    'jpg',
    'ש',
    'ع',
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2068',
    '\u2069',
  ];
  for (const one of pieces) {
    for (const two of pieces) {
      for (const three of pieces) {
        const name = `${one}${two}x${three}.exe`;
        const shown = bidiIsolate(name);
        expect(isolateValues({ name })).toEqual({ name: shown });
        // Nothing is left that changes the direction, beside what encloses the name.
        expect(shown.replace(/^\u2066\u2068([^\u2069]*)\u2069(\.exe)\u2069$/u, '$1$2')).not.toMatch(
          /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
        );
        expect(bidiIsolate(shown)).toBe(shown);
      }
    }
  }
});

it('encodes queries in a readable form, without missing values', () => {
  expect(encodeQuery({ path: '/ROOT/a b&c', key: null, from: undefined, count: 2 })).toBe(
    'path=/ROOT/a%20b%26c&count=2',
  );
  expect(encodeQuery({ name: '\ud800' })).toBe('name=%EF%BF%BD');
});

describe('the progress of all uploads', () => {
  it('is the sum of their progress', () => {
    const file = new File(['1234'], 'a');
    const jobs = [
      { state: 'sent' as const, sent: 4, file },
      { state: 'sending' as const, sent: 1, file },
      { state: 'failed' as const, sent: 0, file },
    ];
    expect(totalsOf(jobs)).toEqual({ files: 3, sentFiles: 1, bytes: 12, sentBytes: 5 });
  });

  it('has an estimated time based on the bytes sent since the first query', () => {
    let now = 0;
    const estimate = createTimeEstimate(() => now);
    expect(estimate.remaining(1_000, 1_000_000)).toBeNull();
    now = 2_000;
    expect(estimate.remaining(3_000, 1_000_000)).toBeNull();
    now = 10_000;
    // 1000 bytes a second.
    expect(estimate.remaining(11_000, 21_000)).toMatchObject({ unit: 'seconds' });
    expect(estimate.remaining(11_000, 71_000)).toEqual({ unit: 'minutes', count: 1 });
    expect(estimate.remaining(11_000, 311_000)).toEqual({ unit: 'minutes', count: 5 });
    expect(estimate.remaining(11_000, 7_211_000)).toEqual({ unit: 'hours', count: 2 });
    // Nothing has moved.
    expect(estimate.remaining(1_000, 21_000)).toBeNull();
    estimate.reset();
    expect(estimate.remaining(11_000, 21_000)).toBeNull();
  });
});

describe('the stored state of uploads', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  /** As browsers have it: the keys are its own properties. */
  function stubStorage(): Record<string, string> {
    const methods = {
      getItem: (name: string) => items[name] ?? null,
      setItem: (name: string, value: string) => {
        items[name] = value;
      },
      removeItem: (name: string) => {
        delete items[name];
      },
    };
    const items: Record<string, string> = Object.create(methods);
    vi.stubGlobal('localStorage', items);
    return items;
  }

  it('is kept for a week, and can be deleted', () => {
    const items = stubStorage();
    vi.useFakeTimers();
    remember('one', 'id-1');
    expect([recall('one'), recall('two')]).toEqual(['id-1', null]);
    vi.advanceTimersByTime(6 * 24 * 3_600_000);
    remember('two', 'id-2');
    expect(recall('one')).toBe('id-1');
    vi.advanceTimersByTime(2 * 24 * 3_600_000);
    expect([recall('one'), recall('two')]).toEqual([null, 'id-2']);
    forgetExpired();
    expect(Object.keys(items)).toHaveLength(1);
    forget('two');
    expect(Object.keys(items)).toEqual([]);
  });

  it('is empty if the browser has no storage', () => {
    vi.stubGlobal('localStorage', undefined);
    remember('one', 'id');
    forget('one');
    forgetExpired();
    expect(recall('one')).toBeNull();
  });

  it('does not reveal the file', async () => {
    const key = await hashKey(['/ROOT/HOME/secret.mkv', 40, 1]);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashKey(['/ROOT/HOME/secret.mkv', 41, 1])).not.toBe(key);
  });
});
