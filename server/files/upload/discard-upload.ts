import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import type { UploadRowsContext } from './context.ts';
import { forgetUpload } from './upload-rows.ts';

/** Removes an upload and what has arrived of it. The caller has the right to change it. @param id of its row */
export async function discardUpload(
  { uploadRows }: UploadRowsContext,
  { area }: Pick<Home, 'area'>,
  id: string,
): Promise<void> {
  await forgetUpload(uploadRows, id);
  await eraseStored(join(area.incoming, id));
}
