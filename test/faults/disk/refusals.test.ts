import { describe, expect, it } from 'vitest';
import { canTrace } from '../../support/system/system-calls.ts';
import { type Refusal, refuse } from './refusals.ts';

const REFUSALS: readonly Refusal[] = [
  { calls: 'fsync,fdatasync', error: 'EIO', when: '1+' },
  { calls: 'fdatasync', error: 'EIO', when: '2' },
  { calls: 'rename,renameat,renameat2', error: 'ENOSPC', when: '1' },
  { calls: 'link,linkat', error: 'EIO', when: '1' },
  { calls: 'pwrite64', error: 'ENOSPC', when: '3' },
  { calls: 'unlink,unlinkat', error: 'ENOSPC', when: '1+' },
  { calls: 'openat', error: 'EIO', when: '4' },
];

describe.runIf(canTrace())('system calls that fail', () => {
  it('affect only the change that they belong to', async () => {
    const { complaints, acknowledged, refused, statuses } = await refuse(REFUSALS);
    expect(complaints).toEqual([]);
    expect(acknowledged, JSON.stringify([...statuses])).toBeGreaterThan(10);
    expect(refused, JSON.stringify([...statuses])).toBeGreaterThan(10);
  });
});
