import { correctCount, wrongCounts } from '../../catalogue/storage-use.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { type DoctorParts, type Finding, problem } from './parts.ts';

/** Quotas use running counts; this checks them against the sum of files, versions and trash. */
export async function checkCounts({ database, homes }: DoctorParts): Promise<Finding[]> {
  const wrong = new Map((await wrongCounts(database)).map((count) => [count.homeId, count]));
  if (wrong.size === 0) return [];
  return (await homes.all()).flatMap(({ id, homeRoot: { root } }) => {
    const count = wrong.get(id);
    if (count === undefined) return [];
    const { used, counted } = count;
    return [
      problem(t('api.doctor.countWrong', { home: root, used, counted, command: larderCommand() }), async () => {
        await database.write((tx) => correctCount(tx, id));
        return t('api.doctor.countFixed', { home: root });
      }),
    ];
  });
}
