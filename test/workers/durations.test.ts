import { expect, it } from 'vitest';
import { embeddedJobs } from '../../dist/server/workers/embedded/jobs.js';
import { MetadataResult } from '../../dist/server/workers/embedded/metadata-result.js';

it.each([
  [Number.NaN, [], null],
  [Number.POSITIVE_INFINITY, [], null],
  [0, [], null],
  [-1, [], null],
  [3_600_000, [], null],
  [undefined, [], null],
  [3.25, [{ key: 'video.duration', values: ['0:03'] }], 3_250],
])('a video of %s seconds has a valid duration or none', (seconds, fields, milliseconds) => {
  const result = new MetadataResult();
  result.duration('video.duration', seconds);
  const all = result.all();
  expect([all.fields, all.group.milliseconds]).toEqual([fields, milliseconds]);
  expect(embeddedJobs.embedded.output.safeParse(all).success).toBe(true);
});
