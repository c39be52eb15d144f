// Asks before sending files whose names exist already.

import { t } from 'virtual:messages/files';
import { make, shownName } from '../../lib/dom.ts';
import { groupedBy } from '../../lib/grouped-by.ts';
import { asRequestError, isRecord } from '../../lib/requests.ts';
import type { ChosenFile } from '../../upload/chosen-files.ts';
import { showDialog } from '../overlays/dialog.ts';
import { type Field, postAction } from '../requests.ts';

/** Names per request. */
const MAX_NAMES = 400;
/** Names that the question lists. */
const MAX_LISTED = 5;

export interface FileToSend extends ChosenFile {
  /** The destination folder, and the name in it. */
  readonly folder: string;
  readonly name: string;
  readonly isReplacing: boolean;
}

type Answer = 'cancel' | 'skip' | 'replace' | 'both';

/** @returns the files to send, null for none @throws RequestError */
export async function resolveConflicts(
  requested: readonly FileToSend[],
  path: string,
): Promise<readonly FileToSend[] | null> {
  const freeNames = await findConflicts(requested, path);
  const taken = requested.filter((one) => freeNames.has(one));
  if (taken.length === 0) return requested;
  switch (await ask(taken, requested.length)) {
    case 'cancel':
      return null;
    case 'replace':
      return requested.map((one) => ({ ...one, isReplacing: freeNames.has(one) }));
    case 'skip':
      return requested.filter((one) => !freeNames.has(one));
    case 'both':
      return requested.map((one) => ({ ...one, name: freeNames.get(one) ?? one.name }));
  }
}

/** @returns those whose name is taken, each with a free one */
async function findConflicts(requested: readonly FileToSend[], path: string): Promise<Map<FileToSend, string>> {
  const found = new Map<FileToSend, string>();
  const top = await takenIn(
    path,
    requested.flatMap((one) => one.path.slice(0, 1)),
  );
  for (const [folder, files] of groupedBy(requested, ({ folder }) => folder)) {
    const [topName = ''] = files[0]?.path ?? [];
    // A folder that does not exist yet is empty.
    if (folder !== path && !top.has(topName)) continue;
    const taken = await takenIn(
      folder,
      files.map(({ name }) => name),
    );
    for (const file of files) {
      const free = taken.get(file.name);
      if (free !== undefined) found.set(file, free);
    }
  }
  return found;
}

/** @returns the taken names, each with a free one */
async function takenIn(path: string, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const all = [...new Set(names)];
  for (let start = 0; start < all.length; start += MAX_NAMES) {
    const fields = all.slice(start, start + MAX_NAMES).map((name): Field => ['name[]', name]);
    for (const [name, free] of await askTaken([['path', path], ...fields])) found.set(name, free);
  }
  return found;
}

async function askTaken(fields: readonly Field[]): Promise<[name: string, free: string][]> {
  try {
    const { taken } = await postAction('taken', fields);
    if (!Array.isArray(taken)) return [];
    return taken.filter(isRecord).map(({ name, free }) => [String(name), String(free)]);
  } catch (error) {
    // The upload itself will report problems of the folder or name.
    const { status } = asRequestError(error);
    if (status === 404 || status === 400) return [];
    throw error;
  }
}

/** @param files whose names are taken @param all how many are to be sent */
function ask(files: readonly FileToSend[], all: number): Promise<Answer> {
  const taken = files.length;
  const title =
    taken === 1
      ? t('uploads.taken.headingOne', { name: files[0]?.name ?? '' })
      : taken === all
        ? t('uploads.taken.headingAll', { total: all })
        : t('uploads.taken.heading', { taken, total: all });
  return new Promise((resolve) => {
    let answer: Answer = 'cancel';
    const choice = (name: Answer, style = '') => {
      const click = () => {
        answer = name;
        dialog.close();
      };
      return make('button', { type: 'button', class: style, click }, t(`uploads.taken.answers.${name}`));
    };
    const primary = choice('both', 'primary');
    const others = [choice('cancel'), ...(all > 1 ? [choice('skip')] : []), choice('replace')];
    const actions = make('div', { class: 'actions' }, ...others, primary);
    const dialog = showDialog(
      title,
      ...(taken === 1 ? [] : [namesOf(files)]),
      make('p', {}, t('uploads.taken.lead', { taken })),
      make('div', { class: 'act' }, actions),
    );
    primary.focus();
    dialog.addEventListener('close', () => resolve(answer));
  });
}

/** The names, of many the first ones and how many more. */
function namesOf(files: readonly FileToSend[]): HTMLElement {
  const shown = files.length > MAX_LISTED + 1 ? files.slice(0, MAX_LISTED) : files;
  const entries = shown.map(({ name }) => make('li', {}, shownName(name)));
  const count = files.length - shown.length;
  if (count > 0) entries.push(make('li', {}, t('uploads.taken.more', { count })));
  return make('ul', {}, ...entries);
}
