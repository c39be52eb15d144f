import { homedir } from 'node:os';
import { isAbsolute, normalize } from 'node:path';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import { t } from '../messages/messages.ts';
import { isInside, isSame, isSystemFolder } from '../people/homes/home-path.ts';
import { inspectPath } from '../storage/paths/inspect-path.ts';
import { realFolder } from '../storage/paths/real-folder.ts';

/** Bytes. */
const MAX_PATH = 4_096;

export interface ImportFolderRules {
  /** The data folder of this Larder. */
  readonly larder: string;
  /** The roots of all homes, also of those in the trash. */
  readonly homes: readonly string[];
}

/**
 * Checks a folder of the disk that the owner wants to import. Folders are compared by identity, too: a second mount leads to the same
 * one.
 * @param text as it was entered
 * @returns its real path
 * @throws FieldProblem `folder`
 */
export async function checkImportFolder(text: string, rules: ImportFolderRules): Promise<string> {
  const typed = text.trim();
  const isPath = isAbsolute(typed) && Buffer.byteLength(typed) <= MAX_PATH && !/\p{Cc}/u.test(typed);
  if (!isPath || typed.split(/[\\/]/).includes('..')) throw refused(t('api.imports.folder.relative'));
  const found = await realFolder(normalize(typed));
  if ('problem' in found) throw refused(t('api.imports.folder.problem', { problem: found.problem }));
  const { path } = found;
  // The home of the system's user has more than exports.
  if (isSystemFolder(path, homedir())) throw refused(t('api.imports.folder.system'));
  const own = await ownPlace(path, rules);
  if (own !== null) throw refused(t(`api.imports.folder.${own}`));
  return path;
}

/** Of what a folder of the disk is a part, or what is a part of it: nothing of the household is imported. @param path real */
export async function ownPlace(path: string, { larder, homes }: ImportFolderRules): Promise<'larder' | 'home' | null> {
  if (await overlaps(path, larder)) return 'larder';
  for (const home of homes) if (await overlaps(path, home)) return 'home';
  return null;
}

/** Whether one folder is the other one, or contains it. */
async function overlaps(path: string, other: string): Promise<boolean> {
  const found = await realFolder(other);
  const real = 'path' in found ? found.path : other;
  if (isSame(path, real) || isInside(path, real) || isInside(real, path)) return true;
  const [own, its] = [await inspectPath(path), await inspectPath(real)];
  const isThere = its.missing === 0 && its.obstacle === null;
  const [ownId, itsId] = [own.ids.at(-1), its.ids.at(-1)];
  return (
    (isThere && itsId !== undefined && own.ids.includes(itsId)) || (ownId !== undefined && its.ids.includes(ownId))
  );
}

function refused(sentence: string): FieldProblem {
  return new FieldProblem('folder', sentence);
}
