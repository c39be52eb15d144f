import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { foldName } from '../../lib/names/names.ts';
import { type Finding, note, problem } from './parts.ts';
import { few, many, shown } from './wording.ts';

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
    return [...this.#found, note(`${this.#root} has ${this.#further} more folders with such names.`)];
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
  return (
    `${many(undecodable.length, 'name')} in ${folder} ${undecodable.length === 1 ? 'is' : 'are'} not valid UTF-8, so that no listing, app or download has ` +
    `${undecodable.length === 1 ? 'it' : 'them'}: ${few(names, undecodable.length, NAMES)}. Rename in the file manager, or in that folder: mv -- ${quoted} 'new name'`
  );
}

function twinText(folder: string, twins: readonly string[]): string {
  return `${few(twins.map(shown), twins.length, NAMES)} in ${folder} differ in upper and lower case or in how accents are written only. On Windows, macOS and some phones only one of them is seen: rename the others.`;
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
