import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { foldName } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import { type Finding, note, problem } from './parts.ts';
import { few, shown } from './quoted-names.ts';

/** Folders of one home that are named; the rest is counted. */
const FOLDERS = 20;
const NAMES = 10;

/** Names that are a problem for Larder or for other systems, by folder. */
export class NameFindings {
  readonly #root: string;
  readonly #found: Finding[] = [];
  #further = 0;

  constructor({ homeRoot }: Home) {
    this.#root = homeRoot.root;
  }

  add(segments: readonly string[], names: readonly string[], undecodable: readonly string[]): void {
    if (undecodable.length > 0) this.#push(problem(oddText(this.#folder(segments), undecodable)));
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

function oddText(folder: string, undecodable: readonly string[]): string {
  // The backslashes are already escapes made by the storage.
  const names = undecodable.map((name) => `"${name}"`);
  const [first = ''] = undecodable;
  const quoted = `$'${first.replaceAll("'", "\\'")}'`;
  const example = "'new name'";
  return t('api.doctor.namesInvalid', {
    count: undecodable.length,
    folder,
    names: few(names, undecodable.length, NAMES),
    quoted,
    example,
  });
}

function twinText(folder: string, twins: readonly string[]): string {
  return t('api.doctor.namesTwins', { names: few(twins.map(shown), twins.length, NAMES), folder });
}

/** Names that another system's disk would treat as equal. */
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
