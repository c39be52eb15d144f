import { describe, expect, it } from 'vitest';
import { parentOf } from '../../../dist/renderer-modules/first-run/parent-of.js';
import { catalogue } from '../../../dist/renderer-modules/messages/messages.js';
import { exactTime, relativeTime } from '../../../dist/renderer-modules/relative-time.js';
import { size } from '../../../dist/renderer-modules/sizes.js';
import { recipes } from '../../../dist/server/activity/recipes.js';
import { humanSize } from '../../../dist/server/listing/human.js';

it('formats sizes as on the pages', () => {
  for (const bytes of [
    0,
    1,
    13,
    1023,
    1024,
    1434,
    102_348,
    102_349,
    1_048_063,
    1_048_064,
    128 * 1024 ** 3,
    4e12,
    9e15,
  ]) {
    expect(size(bytes)).toBe(humanSize(bytes));
  }
});

describe('moments', () => {
  const now = new Date(2027, 2, 12, 17, 5, 9);
  it.each([
    [new Date(2027, 2, 12, 17, 4, 40), 'just now'],
    [new Date(2027, 2, 12, 17, 4, 0), '1 minute ago'],
    [new Date(2027, 2, 12, 16, 20, 0), '45 minutes ago'],
    [new Date(2027, 2, 12, 15, 30, 0), '1 hour ago'],
    [new Date(2027, 2, 12, 8, 12, 0), 'today at 08:12'],
    [new Date(2027, 2, 12, 18, 0, 0), 'today at 18:00'],
    [new Date(2027, 2, 11, 17, 5, 0), 'yesterday at 17:05'],
    [new Date(2027, 0, 2, 0, 0, 0), '2 January'],
    [new Date(2024, 2, 12, 9, 0, 0), '12 March 2024'],
  ])('%s is %s', (at, words) => expect(relativeTime(at, now)).toBe(words));

  it('are exact if requested', () => expect(exactTime(now)).toBe('12 March 2027, 17:05:09'));
});

it('returns the parent folder on every system', () => {
  expect(parentOf('/home/ann/Documents/Larder')).toBe('Documents');
  expect(parentOf('C:\\Users\\Ann\\Documents\\Larder')).toBe('Documents');
  expect(parentOf('/Larder')).toBe('/Larder');
});

it('has a message for every kind of activity', () => {
  const written = Object.values(recipes)
    .map(({ toRow }) => String(toRow))
    .join('\n');
  const kinds = [...written.matchAll(/activityRow\(\s*'([a-z.-]+)'/g)].map(([, kind = '']) => kind);
  expect(kinds.length).toBeGreaterThan(30);
  for (const kind of [...Object.keys(recipes), ...kinds]) {
    if (COMPOSED.includes(kind)) continue;
    expect(catalogue).toHaveProperty([`activity.entry.${kind}`]);
  }
});

/** Events recorded under other kinds. */
const COMPOSED = ['metadata.defined', 'two-step.changed', 'metadata.changed', 'item.downloaded'];
