import { correctCount, wrongCounts } from '../../catalogue/storage-use.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { type DoctorParts, type Finding, problem } from './parts.ts';

/** Quotas go by what is counted along the way; it is what the rows of files, versions and the trash add up to. */
export async function checkCounts({ database, homes }: DoctorParts): Promise<Finding[]> {
  const wrong = new Map((await wrongCounts(database)).map((count) => [count.homeId, count]));
  if (wrong.size === 0) return [];
  return (await homes.all()).flatMap(({ id, place: { root } }) => {
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
