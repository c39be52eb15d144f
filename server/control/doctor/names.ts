import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { foldName } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import { type Finding, note, problem } from './parts.ts';
import { few, shown } from './wording.ts';

/** Folders of one home that are named; the rest is counted. */
const FOLDERS = 20;
const NAMES = 10;

/** Names that Larder or other machines have trouble with, gathered folder by folder. */
export class NameFindings {
  readonly #root: string;
  readonly #found: Finding[] = [];
  #further = 0;

  constructor({ place }: Home) {
    this.#root = place.root;
  }

  add(segments: readonly string[], names: readonly string[], odd: readonly string[]): void {
    if (odd.length > 0) this.#push(problem(oddText(this.#folder(segments), odd)));
    for (const twins of twinsIn(names)) this.#push(note(twinText(this.#folder(segments), twins)));
  }

  findings(): Finding[] {
    if (this.#further === 0) return this.#found;
    return [...this.#found, note(t('api.doctor.namesMore', { home: this.#root, count: this.#further }))];
  }

  #push(finding: Finding): void {
    if (this.#found.length < FOLDERS) this.#found.push(finding);
    else this.#further += 1;
  }

  #folder(segments: readonly string[]): string {
    return shown(join(this.#root, ...segments));
  }
}

function oddText(folder: string, odd: readonly string[]): string {
  // The backslashes are escapes already, those of the storage.
  const names = odd.map((name) => `"${name}"`);
  const [first = ''] = odd;
  const quoted = `$'${first.replaceAll("'", "\\'")}'`;
  const example = "'new name'";
  return t('api.doctor.namesInvalid', {
    count: odd.length,
    folder,
    names: few(names, odd.length, NAMES),
    quoted,
    example,
  });
}

function twinText(folder: string, twins: readonly string[]): string {
  return t('api.doctor.namesTwins', { names: few(twins.map(shown), twins.length, NAMES), folder });
}

/** Names that a disk of another system takes for one. */
function twinsIn(names: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const folded = foldName(name);
    const group = groups.get(folded);
    if (group === undefined) groups.set(folded, [name]);
    else group.push(name);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}
