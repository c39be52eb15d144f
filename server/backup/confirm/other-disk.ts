import type { DisksUnder } from '../../storage/underlying-disks.ts';

/** Whether two folders share no physical disk, as far as that is certain. @returns the disks of the first; null if not */
export async function areApart(
  disksUnder: DisksUnder,
  one: string,
  other: string,
): Promise<Awaited<ReturnType<DisksUnder>>> {
  const [first, second] = await Promise.all([disksUnder(one), disksUnder(other)]);
  if (first === null || second === null) return null;
  return [...first.disks].some((disk) => second.disks.has(disk)) ? null : first;
}
