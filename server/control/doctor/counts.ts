import { correctCount, wrongCounts } from '../../catalogue/storage-use.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { type DoctorParts, type Finding, problem } from './parts.ts';
import { many } from './wording.ts';

/** Quotas use running counts; this checks them against the sum of files, versions and trash. */
export async function checkCounts({ database, homes }: DoctorParts): Promise<Finding[]> {
  const wrong = new Map((await wrongCounts(database)).map((count) => [count.homeId, count]));
  if (wrong.size === 0) return [];
  return (await homes.all()).flatMap(({ id, homeRoot: { root } }) => {
    const count = wrong.get(id);
    if (count === undefined) return [];
    const { used, counted } = count;
    return [
      problem(
        `${root}: ${many(used, 'byte')} are counted for what is in it, versions and the trash included, and they add up to ${counted}. Quotas are wrong until it is counted anew: ${larderCommand()} doctor --repair`,
        async () => {
          await database.write((tx) => correctCount(tx, id));
          return `${root}: what is in it was counted anew.`;
        },
      ),
    ];
  });
}
