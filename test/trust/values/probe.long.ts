import { expect, it } from 'vitest';
import { injections } from './injections.ts';
import { type ProbeReport, statusesTold } from './probe.ts';
import { traversal } from './traversal.ts';

const told = ({ values, listed, channels, requests, statuses }: ProbeReport) =>
  `${values} values and some of wfuzz’s ${listed} in each of ${channels} places, ${requests} requests; ${statusesTold(statuses)}`;

it('paths that lead outside are refused in every parameter for a path or a name', { timeout: 3_600_000 }, async ({
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

it('syntax of databases, pages, headers and logs is treated as text in every parameter', {
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
