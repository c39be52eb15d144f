import { describe, expect, it } from 'vitest';
import { canTrace } from '../../support/system/system-calls.ts';
import { type Refusal, refuse } from './refusals.ts';

const LAST = Number(process.env.LARDER_CALLS ?? 6);
const CALLS = [
  'pwrite64',
  'fsync',
  'fdatasync',
  'fsync,fdatasync',
  'rename,renameat,renameat2',
  'link,linkat',
  'openat',
  'mkdir,mkdirat',
  'unlink,unlinkat',
  'ftruncate',
];

const refusals: readonly Refusal[] = CALLS.flatMap((calls) =>
  (['EIO', 'ENOSPC'] as const).flatMap((error) => [
    ...Array.from({ length: LAST }, (_, n) => ({ calls, error, when: String(n + 1) })),
    { calls, error, when: '1+' },
    { calls, error, when: '2+3' },
  ]),
);

describe.runIf(canTrace())('system calls that fail', () => {
  it('affect only the change that they belong to, for every call', { timeout: 3_600_000 }, async ({ task }) => {
    const { complaints, acknowledged, refused, deaths, statuses } = await refuse(refusals);
    const told = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    task.meta.trust = {
      tried: `${refusals.length} refusals (EIO, ENOSPC) of 10 kinds of calls; ${acknowledged} changes acknowledged, ${refused} refused (${told.join(', ')})`,
      found: `${complaints.length} complaints; the server ended ${deaths} times`,
    };
    expect(complaints).toEqual([]);
  });
});
