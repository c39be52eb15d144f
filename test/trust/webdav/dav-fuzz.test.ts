import { expect, it } from 'vitest';
import { fuzzWebdav } from './dav-fuzz.ts';

it('1,000 random requests of WebDAV cause no fault', { timeout: 300_000 }, async () => {
  const { complaints, statuses } = await fuzzWebdav({ requests: 1_000, seed: 20_261_125 });
  expect(complaints).toEqual([]);
  // Otherwise it would have tried nothing. Which of them succeed depends on the order in which they arrive.
  const done = [...statuses].filter(([key]) => /^(?:PROPFIND|PUT|MOVE|COPY|LOCK|PROPPATCH|DELETE) 20/.test(key));
  expect(done.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(80);
});
