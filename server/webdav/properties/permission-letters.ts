import { type ItemTarget, isTop } from '../../access/access.ts';
import type { Rights } from '../../access/caller.ts';
import { type FileAction, isPermitted } from '../../access/rights.ts';

/** Those of a list, such as the top level: nothing is created in it, and it stays where it is. */
export const LIST_LETTERS = 'G';

/**
 * What a caller may do, in the letters of ownCloud and Nextcloud clients: S shared, R reshareable, G readable, D deletable, N
 * renameable, V movable, W writable, C and K files and folders may be created.
 */
export function permissionLetters(
  rights: Rights,
  share: ItemTarget['share'],
): { readonly file: string; readonly folder: string } {
  return lettersOf(rights, share, { canShare: true, isFixed: false });
}

/** The same for one item. A home, a shared item and the folder of a limited credential stay where they are, and a home is not shared. */
export function permissionLettersAt(
  rights: Rights,
  target: Pick<ItemTarget, 'share' | 'segments' | 'top'>,
  isFolder: boolean,
): string {
  const place = { canShare: target.segments.length > 0, isFixed: isTop(target) };
  const letters = lettersOf(rights, target.share, place);
  return isFolder ? letters.folder : letters.file;
}

function lettersOf(
  rights: Rights,
  share: ItemTarget['share'],
  { canShare, isFixed }: { readonly canShare: boolean; readonly isFixed: boolean },
): { readonly file: string; readonly folder: string } {
  const may = (action: FileAction) => isPermitted(rights, share, action);
  const common = [
    share === null ? '' : 'S',
    canShare && may('files/share') ? 'R' : '',
    may('files/download') ? 'G' : '',
    !isFixed && may('files/delete') ? 'D' : '',
    !isFixed && may('files/rename') ? 'N' : '',
    !isFixed && may('files/move') ? 'V' : '',
  ].join('');
  return {
    file: `${common}${may('files/upload:replace') ? 'W' : ''}`,
    folder: `${common}${may('files/upload') ? 'C' : ''}${may('files/createfolder') ? 'K' : ''}`,
  };
}
