import { type ItemTarget, inExactForm, virtualPathOf } from '../../access/access.ts';
import { type Caller, rightsOf } from '../../access/caller.ts';
import { checkType, limitsIn } from '../../access/limits.ts';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { nullIfGone } from '../../storage/errors.ts';
import type { FilesContext } from '../context.ts';

/** The destination of an upload, as its client states it. */
export interface UploadLocation {
  /** §4.2: the folder must exist. It takes precedence over `filePath`. */
  readonly path?: readonly string[] | undefined;
  /** §4.2: missing folders are created. */
  readonly filePath?: readonly string[] | undefined;
  /** The file to replace, instead of or beside its path. */
  readonly uuid?: string | undefined;
  /** Whether a file with another Unicode form of this name is another file, which is not replaced. */
  readonly isExact?: boolean;
}

export function mayMakeFolders({ path, uuid }: UploadLocation): boolean {
  return path === undefined && uuid === undefined;
}

/** @throws ApiError `missing_parameter`, `invalid_path` for a folder, `type_not_allowed`, `not_found`, `permission_denied` */
export async function uploadTarget(
  { access }: Pick<FilesContext, 'access'>,
  caller: Caller,
  { path, filePath, uuid, isExact = false }: UploadLocation,
): Promise<ItemTarget> {
  const asked = path ?? filePath;
  if (asked === undefined && uuid === undefined)
    throw new ApiError('missing_parameter', t('api.uploads.missingPath'), { details: { parameter: 'path' } });
  const target = await access.resolveItem(caller, { path: asked, uuid }, 'files/upload');
  // The shared item may be a file, which is overwritten under its own name.
  if (target.segments.length === 0) {
    throw new ApiError('invalid_path', t('api.uploads.missingName'));
  }
  checkType(limitsIn(rightsOf(caller), target), target.segments.at(-1) ?? '');
  return isExact ? inExactForm(target) : target;
}

/** Names the missing folder if that is why the upload has no location. @throws ApiError `not_found` with `details.folder` */
export async function explainMissingFolder<T>(
  { disk }: Pick<FilesContext, 'disk'>,
  target: ItemTarget,
  location: UploadLocation,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found' || mayMakeFolders(location)) throw error;
    const { home, segments } = target;
    for (let depth = Math.max(1, target.top); depth < segments.length; depth += 1) {
      const above = segments.slice(0, depth);
      const found = await disk.run('stat', { homeRoot: home.homeRoot, segments: above }).catch(nullIfGone);
      if (found?.entry.isDir) continue;
      const folder = virtualPathOf(target, above);
      throw new ApiError('not_found', t('api.uploads.missingFolder', { folder }), {
        details: { folder },
        cause: error,
      });
    }
    throw error;
  }
}
