import type { Listed, Observation, Observed, ObservedContent, Path, Reply } from './history.ts';
import {
  type FolderNode,
  folderAt,
  type Node,
  nodeAt,
  nodesOf,
  ROOT_ID,
  type State,
  type Trashed,
  withChild,
} from './state.ts';

/** Notes the uuid that a reply tells of an item. @returns null when it has another one, or the uuid is another item's */
export function identified(state: State, names: Path, name: string, uuid: string | undefined): State | null {
  const node = folderAt(state, names)?.folder.children.get(name);
  if (node === undefined || uuid === undefined) return null;
  if (node.uuid === uuid) return state;
  if (node.uuid !== null || isKnown(state, uuid)) return null;
  return withChild(state, names, name, { ...node, uuid });
}

function isKnown({ root, trash, retired }: State, uuid: string): boolean {
  if (retired.includes(uuid)) return true;
  const inTree = [root, ...trash.map(({ node }) => node)];
  return inTree.some((top) => [...nodesOf(top)].some((node) => node.uuid === uuid));
}

function looksLike(node: Node, { isDir, size, version }: Omit<Listed, 'path' | 'uuid' | 'name'>): boolean {
  if (node.isDir || isDir) return node.isDir && isDir;
  return node.text.length === size && node.version === version;
}

/** The listing of one folder: all its names, each with what the catalogue has of it. */
export function listedAs(state: State, folder: Path, entries: readonly Listed[]): State | null {
  const place = folderAt(state, folder);
  if (place === null || place.folder.children.size !== entries.length) return null;
  let next: State | null = state;
  for (const entry of entries) {
    const node = place.folder.children.get(entry.name);
    if (next === null || node === undefined || !looksLike(node, entry)) return null;
    next = identified(next, place.names, entry.name, entry.uuid);
  }
  return next;
}

/** What the trash lists. An id that no reply has told yet is some content's that an overwrite put there. */
export function trashListedAs({ trash }: State, entries: readonly Listed[]): boolean {
  const rest = trash.filter(({ isOnItsWay }) => !isOnItsWay);
  const known = (entry: Listed) => rest.findIndex(({ trashId }) => trashId === entry.path[0]);
  const alike = (entry: Listed) =>
    rest.findIndex(
      (item) => item.trashId === null && (item.node.uuid ?? entry.uuid) === entry.uuid && fits(item, entry),
    );
  const fits = ({ name, node }: Trashed, entry: Listed) => name === entry.name && looksLike(node, entry);
  for (const entry of entries) {
    const index = known(entry) === -1 ? alike(entry) : known(entry);
    const item = rest[index];
    if (item === undefined || !fits(item, entry)) return false;
    if (item.node.uuid !== null && item.node.uuid !== entry.uuid) return false;
    rest.splice(index, 1);
  }
  return rest.length === 0;
}

/** The code that listing the versions of a path is refused with, or what the reply says. */
export function versionsOf(state: State, path: Path): string | Pick<Reply, 'versions'> {
  const spot = nodeAt(state, path);
  if (spot === null) return 'not_found';
  if (spot.node.isDir) return 'invalid_path';
  const all = [spot.node, ...spot.node.history];
  return { versions: all.map(({ version, text, isSigned }) => ({ version, size: text.length, isSigned })) };
}

/** Of a folder the content is an archive, made on the way: all that is said of it is that it was a folder when it began. */
export function contentOf(state: State, path: Path, version: number | null): string | Pick<Reply, 'text'> {
  const spot = nodeAt(state, path);
  if (spot === null) return 'not_found';
  if (spot.node.isDir) return version === null ? { text: null } : 'invalid_parameter';
  const wanted = version ?? spot.node.version;
  const found = [spot.node, ...spot.node.history].find((content) => content.version === wanted);
  return found === undefined ? 'not_found' : { text: found.text };
}

/** Everything at once: the tree, all contents old and new, the trash, and uploads that may be continued. */
export function observedAs(state: State, { root, trash, uploads }: Observation): State | null {
  if (uploads.length !== state.uploads.size || trash.length !== state.trash.length) return null;
  for (const { key, total, text } of uploads) {
    const known = state.uploads.get(key);
    if (known === undefined || known.total !== total || known.text !== text) return null;
  }
  const seen = observedNode(state.root, root);
  if (seen === null || !seen.isDir) return null;
  const tree = { ...state, root: seen };
  const trashed = observedTrash(tree, trash);
  return trashed === null || hasDoubles(tree.root, trashed, state.retired) ? null : { ...tree, trash: trashed };
}

function observedTrash(state: State, trash: Observation['trash']): readonly Trashed[] | null {
  const rest = [...state.trash];
  const found: Trashed[] = [];
  for (const { id, name, item } of trash) {
    const fits = (candidate: Trashed) => candidate.name === name && observedNode(candidate.node, item) !== null;
    const known = rest.findIndex(({ trashId }) => trashId === id);
    const index = known === -1 ? rest.findIndex((candidate) => candidate.trashId === null && fits(candidate)) : known;
    const [trashed] = index === -1 ? [] : rest.splice(index, 1);
    const node = trashed === undefined || !fits(trashed) ? null : observedNode(trashed.node, item);
    if (trashed === undefined || node === null) return null;
    found.push({ ...trashed, trashId: id, node });
  }
  const isRight = found.every(({ parent }, index) => uuidOfFolder(state, found, parent) === trash[index]?.parentUuid);
  return isRight ? found : null;
}

/** Null for the home itself, and for a folder that is gone for good: both lead a restore to the home. */
function uuidOfFolder({ root }: State, trash: readonly Trashed[], id: string): string | null {
  if (id === ROOT_ID) return null;
  for (const top of [root, ...trash.map(({ node }) => node)])
    for (const node of nodesOf(top)) if (node.id === id) return node.uuid;
  return null;
}

function observedNode(node: Node, seen: Observed): Node | null {
  if (node.uuid !== null && node.uuid !== seen.uuid) return null;
  const { uuid } = seen;
  if (!node.isDir || !seen.isDir) {
    if (node.isDir || seen.isDir || node.history.length !== seen.history.length) return null;
    const contents = [node, ...node.history];
    return [seen, ...seen.history].every((one, index) => isSameContent(one, contents[index]))
      ? { ...node, uuid }
      : null;
  }
  return observedFolder(node, seen.children, uuid);
}

function observedFolder(node: FolderNode, seen: readonly Observed[], uuid: string | null): FolderNode | null {
  if (node.children.size !== seen.length) return null;
  const children = new Map<string, Node>();
  for (const one of seen) {
    const child = node.children.get(one.name);
    const next = child === undefined ? null : observedNode(child, one);
    if (next === null) return null;
    children.set(one.name, next);
  }
  return { ...node, uuid, children };
}

function isSameContent(a: ObservedContent, b: ObservedContent | undefined): boolean {
  return a.version === b?.version && a.text === b.text && a.isSigned === b.isSigned;
}

function hasDoubles(root: FolderNode, trash: readonly Trashed[], retired: readonly string[]): boolean {
  const tops = [root, ...trash.map(({ node }) => node)];
  const uuids = tops.flatMap((top) => [...nodesOf(top)].map(({ uuid }) => uuid)).filter((uuid) => uuid !== null);
  return new Set(uuids).size !== uuids.length || uuids.some((uuid) => retired.includes(uuid));
}
