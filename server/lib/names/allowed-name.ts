import { newNameProblem } from './names.ts';
import { suffixedName } from './numbered-name.ts';

/** A name that new files and folders may have, from one of an archive or another device. Allowed names stay as they are. */
export function allowedName(name: string): string {
  if (newNameProblem(name) === null) return name;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no name may contain
  const written = name.toWellFormed().replace(/[/\\:*?"<>|\u0000-\u001f\u007f]/g, '_');
  const short = suffixedName(written.replace(/[. ]+$/, ''), '');
  if (newNameProblem(short) === null) return short;
  const other = suffixedName(`_${short}`, '');
  return newNameProblem(other) === null ? other : '_';
}
