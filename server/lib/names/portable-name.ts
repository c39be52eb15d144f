import { MAX_NAME_BYTES, newNameProblem } from './names.ts';
import { normalized } from './normalized.ts';
import { suffixedName } from './numbered-name.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNFIT = /[/\\:*?"<>|\u0000-\u001f\u007f]+/g;

/**
 * The closest name that every system allows, for a name from another system.
 * @param isFile a file keeps its extension when it is shortened
 */
export function fittingName(name: string, isFile: boolean): string {
  const plain = normalized(name.toWellFormed(), 'NFC')
    .replace(UNFIT, '_')
    .replace(/[. ]+$/, '')
    .trim();
  if (plain === '') return isFile ? 'file' : 'folder';
  const short = Buffer.byteLength(plain) > MAX_NAME_BYTES ? suffixedName(plain, '', isFile) : plain;
  return newNameProblem(short) === null ? short : `_${suffixedName(short, '', isFile).slice(0, 250)}`;
}
