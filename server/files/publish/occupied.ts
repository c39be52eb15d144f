import type { Home } from '../../catalogue/homes.ts';
import type { FilesContext } from '../context.ts';

/** Whether a new item could not have this name, because of one that is there. @throws StorageError */
export async function isOccupied(
  { disk }: Pick<FilesContext, 'disk'>,
  { place }: Home,
  segments: readonly string[],
): Promise<boolean> {
  return (await disk.run('occupied', { place, segments })).by !== null;
}
