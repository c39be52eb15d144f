import type { Path } from './history.ts';
import { digest } from './linearize.ts';

/** A content, who brought it (the API signs, another program does not), and its number. */
export interface Content {
  readonly version: number;
  readonly text: string;
  readonly isSigned: boolean;
}

export interface FileNode extends Content {
  readonly isDir: false;
  /** Of the model only: made from what made it, so that another order of the same operations gives the same id. */
  readonly id: string;
  /** Null until a reply tells it. */
  readonly uuid: string | null;
  /** The newest first. */
  readonly history: readonly Content[];
}

export interface FolderNode {
  readonly isDir: true;
  readonly id: string;
  readonly uuid: string | null;
  readonly children: ReadonlyMap<string, Node>;
}

export type Node = FileNode | FolderNode;

export interface Trashed {
  /** Null for a content that an overwrite put there, until a listing or a restore tells it. */
  readonly trashId: string | null;
  /** That a restore gives it. */
  readonly name: string;
  /** The id of the folder it was in. */
  readonly parent: string;
  readonly node: Node;
  /** Out of its folder, and not yet listed in the trash. */
  readonly isOnItsWay: boolean;
}

/** All that a household remembers of one home. Nothing in it is ever changed. */
export interface State {
  readonly root: FolderNode;
  readonly trash: readonly Trashed[];
  readonly uploads: ReadonlyMap<string, { readonly total: number; readonly text: string }>;
  /** Identities of what is gone for good: none may come back. */
  readonly retired: readonly string[];
  /** The setting `versionsKept`. */
  readonly versionsKept: number;
}

export const ROOT_ID = 'root';

export function emptyState(versionsKept: number): State {
  const root: FolderNode = { isDir: true, id: ROOT_ID, uuid: null, children: new Map() };
  return { root, trash: [], uploads: new Map(), retired: [], versionsKept };
}

/** Equal for names that may not stand beside each other. */
export function folded(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

/** The name as it stands there: exactly so, else in another Unicode form. */
export function nameIn(folder: FolderNode, name: string): string | null {
  if (folder.children.has(name)) return name;
  const composed = name.normalize('NFC');
  return [...folder.children.keys()].find((other) => other.normalize('NFC') === composed) ?? null;
}

/** What stands in the way of a new name, but for `except`, which is to get it. */
export function twinIn(folder: FolderNode, name: string, except: string | null = null): string | null {
  if (name !== except && folder.children.has(name)) return name;
  const fold = folded(name);
  return [...folder.children.keys()].find((other) => other !== except && folded(other) === fold) ?? null;
}

export interface Place {
  /** Of the folders on the way, as they stand there. */
  readonly names: Path;
  readonly folder: FolderNode;
}

/** @returns null when it does not lead to a folder */
export function folderAt({ root }: State, path: Path): Place | null {
  const names: string[] = [];
  let folder = root;
  for (const segment of path) {
    const name = nameIn(folder, segment);
    const child = name === null ? undefined : folder.children.get(name);
    if (name === null || child === undefined || !child.isDir) return null;
    names.push(name);
    folder = child;
  }
  return { names, folder };
}

export interface Spot extends Place {
  readonly name: string;
  readonly node: Node;
}

/** @returns null when nothing is there; for the root too, which no operation changes */
export function nodeAt(state: State, path: Path): Spot | null {
  const place = folderAt(state, path.slice(0, -1));
  const name = place === null || path.length === 0 ? null : nameIn(place.folder, path.at(-1) ?? '');
  const node = name === null ? undefined : place?.folder.children.get(name);
  return place === null || name === null || node === undefined ? null : { ...place, name, node };
}

/** The tree with something else, or with null nothing, under a name. */
export function withChild(state: State, names: Path, name: string, node: Node | null): State {
  return { ...state, root: changed(state.root, names, name, node) };
}

function changed(folder: FolderNode, [next, ...rest]: Path, name: string, node: Node | null): FolderNode {
  const children = new Map(folder.children);
  const child = next === undefined ? undefined : children.get(next);
  if (next !== undefined && child?.isDir === true) children.set(next, changed(child, rest, name, node));
  else if (node === null) children.delete(name);
  else children.set(name, node);
  return { ...folder, children };
}

/** Where a folder stands now. @returns null when it is not in the tree */
export function pathOfFolder({ root }: State, id: string): Path | null {
  function below(folder: FolderNode, names: Path): Path | null {
    if (folder.id === id) return names;
    for (const [name, child] of folder.children) {
      const found = child.isDir ? below(child, [...names, name]) : null;
      if (found !== null) return found;
    }
    return null;
  }
  return below(root, []);
}

export function* nodesOf(node: Node): Generator<Node> {
  yield node;
  if (node.isDir) for (const child of node.children.values()) yield* nodesOf(child);
}

const nodeKeys = new WeakMap<Node, string>();

function nodeKey(node: Node): string {
  let key = nodeKeys.get(node);
  if (key === undefined) {
    const inside = node.isDir
      ? [...node.children].map(([name, child]) => `${JSON.stringify(name)}:${nodeKey(child)}`).sort()
      : [node, ...node.history].map(({ version, text, isSigned }) => JSON.stringify([version, text, isSigned]));
    key = digest(`${node.id}=${node.uuid}${node.isDir ? '{' : '('}${inside.join()}`);
    nodeKeys.set(node, key);
  }
  return key;
}

/** Equal for equal states. */
export function stateKey({ root, trash, uploads, retired }: State): string {
  const inTrash = trash
    .map((item) => `${item.trashId} ${item.isOnItsWay} ${item.name} ${item.parent} ${nodeKey(item.node)}`)
    .sort();
  return [nodeKey(root), ...inTrash, JSON.stringify([...uploads]), ...[...retired].sort()].join('\n');
}
