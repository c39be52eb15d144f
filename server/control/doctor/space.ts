import { humanSize } from '../../listing/human.ts';
import { t } from '../../messages/messages.ts';
import { diskSpace } from '../../storage/inspect.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

/** Bytes. */
const LOW_SPACE = 1024 ** 3;
const LOW_FILES = 10_000;
/** Small disks have few inodes in total, so the number alone does not count. */
const LOW_SHARE = 0.02;

/** Checks the free space of every disk with a part of this installation, each once. */
export async function checkSpace({ layout, homes }: Pick<DoctorParts, 'layout' | 'homes'>): Promise<Finding[]> {
  return spaceOf([layout.folder, ...(await homes.all()).map(({ homeRoot }) => homeRoot.root)]);
}

export async function spaceOf(paths: readonly string[]): Promise<Finding[]> {
  const found: Finding[] = [];
  const seen = new Set<number>();
  for (const path of paths) {
    const space = await diskSpace(path).catch(() => null);
    // Missing folders were reported already.
    if (space === null || seen.has(space.device)) continue;
    seen.add(space.device);
    const { free, files } = space;
    found.push(
      free < LOW_SPACE
        ? problem(t('api.doctor.spaceLow', { size: humanSize(free), path }))
        : note(t('api.doctor.space', { size: humanSize(free), path })),
    );
    if (files !== null && files.free < LOW_FILES && files.free < files.all * LOW_SHARE)
      found.push(problem(t('api.doctor.inodesLow', { count: files.free, path })));
  }
  return found;
}
