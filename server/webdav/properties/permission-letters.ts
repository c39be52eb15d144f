import type { ItemTarget } from '../../access/access.ts';
import type { Rights } from '../../access/caller.ts';
import { type FileAction, isPermitted } from '../../access/rights.ts';

/**
 * What a caller may do, in the letters of ownCloud and Nextcloud clients: S shared, R reshareable, G readable, D deletable, N
 * renameable, V movable, W writable, C and K files and folders may be created.
 */
export function permissionLetters(
  rights: Rights,
  share: ItemTarget['share'],
): { readonly file: string; readonly folder: string } {
  const may = (action: FileAction) => isPermitted(rights, share, action);
  const common = [
    share === null ? '' : 'S',
    may('files/share') ? 'R' : '',
    may('files/download') ? 'G' : '',
    may('files/delete') ? 'D' : '',
    may('files/rename') ? 'N' : '',
    may('files/move') ? 'V' : '',
  ].join('');
  return {
    file: `${common}${may('files/upload:replace') ? 'W' : ''}`,
    folder: `${common}${may('files/upload') ? 'C' : ''}${may('files/createfolder') ? 'K' : ''}`,
  };
}
