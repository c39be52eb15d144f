import type { Home } from '../../catalogue/homes.ts';
import type { FilesContext } from '../context.ts';

/** Whether an existing item prevents a new one from having this name. @throws StorageError */
export async function isOccupied(
  { disk }: Pick<FilesContext, 'disk'>,
  { homeRoot }: Home,
  segments: readonly string[],
): Promise<boolean> {
  return (await disk.run('occupied', { homeRoot, segments })).by !== null;
}
