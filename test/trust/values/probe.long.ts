import { expect, it } from 'vitest';
import { injections } from './injections.ts';
import { type ProbeReport, statusesTold } from './probe.ts';
import { traversal } from './traversal.ts';

const told = ({ values, listed, channels, requests, statuses }: ProbeReport) =>
  `${values} values and some of wfuzz’s ${listed} in each of ${channels} places, ${requests} requests; ${statusesTold(statuses)}`;

it('paths that lead out lead nowhere, in every parameter that takes a path or a name', { timeout: 3_600_000 }, async ({
  task,
}) => {
  const report = await traversal({ share: 1, seed: 1 });
  const { complaints, slowest } = report;
  task.meta.trust = {
    tried: told(report),
    found: `${complaints.length} complaints, the slowest ${Math.round(slowest)} ms`,
  };
  expect(complaints).toEqual([]);
});

it('what means something to a database, a page, a header or a log is a text like any other, in every parameter', {
  timeout: 3_600_000,
}, async ({ task }) => {
  const report = await injections({ share: 1, seed: 1 });
  const { complaints, slowest } = report;
  task.meta.trust = {
    tried: told(report),
    found: `${complaints.length} complaints, the slowest ${Math.round(slowest)} ms`,
  };
  expect(complaints).toEqual([]);
});
