import type { Path, Reply } from './history.ts';
import {
  type Content,
  type FileNode,
  folderAt,
  type Node,
  nameIn,
  nodeAt,
  nodesOf,
  pathOfFolder,
  type State,
  type Trashed,
  twinIn,
  withChild,
} from './state.ts';

/** A change that was done, and what its reply says. */
export interface Done {
  readonly state: State;
  readonly says: Omit<Reply, 'status' | 'code'>;
  /** The id of the node that is on its way to the trash, and listed there a moment later. */
  readonly trashes?: string;
  /** The item whose uuid the reply tells. */
  readonly tells?: { readonly names: Path; readonly name: string };
}

/** What an operation does, or the code it is refused with. */
export type Outcome = Done | string;

const INVALID_NAME = /[. ]$|[:*?]/;

export function makeFolder(state: State, parent: Path, name: string, id: string): Outcome {
  if (INVALID_NAME.test(name)) return 'invalid_name';
  const place = folderAt(state, parent);
  if (place === null) return 'not_found';
  if (twinIn(place.folder, name) !== null) return 'already_exists';
  const made = withChild(state, place.names, name, { isDir: true, id, uuid: null, children: new Map() });
  return { state: made, says: { path: [...parent, name] }, tells: { names: place.names, name } };
}

/** A content gets a name: a new file, or the next version of the one that is there. */
export function putContent(
  state: State,
  path: Path,
  content: Omit<Content, 'version'>,
  mayReplace: boolean,
  id: string,
): Outcome {
  const [parent, asked] = [path.slice(0, -1), path.at(-1) ?? ''];
  const place = folderAt(state, parent);
  if (place === null) return 'not_found';
  if (INVALID_NAME.test(asked) && nameIn(place.folder, asked) === null) return 'invalid_name';
  const isFree = twinIn(place.folder, asked) === null;
  const name = isFree ? asked : nameIn(place.folder, asked);
  const before = name === null ? undefined : place.folder.children.get(name);
  if (name === null || (!isFree && (!mayReplace || before?.isDir !== false))) return 'already_exists';
  const says = { path: [...parent, name], size: content.text.length };
  const tells = { names: place.names, name };
  if (before?.isDir !== false) {
    const node: FileNode = { isDir: false, id, uuid: null, ...content, version: 1, history: [] };
    return { state: withChild(state, place.names, name, node), says: { ...says, version: 1 }, tells };
  }
  const { node, kept } = overwritten(state, before, { ...content, version: before.version + 1 }, `${id}~`);
  const next = withChild(state, place.names, name, node);
  const done = { says: { ...says, version: node.version }, tells };
  if (kept === null) return { ...done, state: next };
  return { ...done, ...trashing(next, { trashId: null, name: asked, parent: place.folder.id, node: kept }) };
}

/** The old content becomes a version; with versions off it becomes an item of its own, in the trash. */
function overwritten(
  { versionsKept }: State,
  { version, text, isSigned, ...file }: FileNode,
  content: Content,
  id: string,
): { node: FileNode; kept: FileNode | null } {
  const old = { version, text, isSigned };
  if (versionsKept === 0)
    return { node: { ...file, ...content }, kept: { isDir: false, id, uuid: null, history: [], ...old } };
  return { node: { ...file, ...content, history: [old, ...file.history].slice(0, versionsKept) }, kept: null };
}

/** Rename and move are one: the item gets the path `to`. */
export function moveItem(state: State, from: Path, to: Path, overwrite: boolean): Outcome {
  if (from.at(-1) !== to.at(-1) && INVALID_NAME.test(to.at(-1) ?? '')) return 'invalid_name';
  const spot = nodeAt(state, from);
  const [parent, name] = [to.slice(0, -1), to.at(-1) ?? ''];
  const place = folderAt(state, parent);
  if (spot === null || place === null) return 'not_found';
  if ([...spot.names, spot.name].every((segment, index) => place.names[index] === segment)) return 'invalid_path';
  const twin = twinIn(place.folder, name, spot.folder.id === place.folder.id ? spot.name : null);
  const before = twin === null ? undefined : place.folder.children.get(twin);
  const isSameText = twin?.normalize('NFC') === name.normalize('NFC');
  if (twin !== null && (!overwrite || !isSameText || before?.isDir !== false || spot.node.isDir))
    return 'already_exists';
  const target = twin ?? name;
  const away = withChild(state, spot.names, spot.name, null);
  const says = { path: [...parent, target] };
  if (before?.isDir !== false || spot.node.isDir)
    return { state: withChild(away, place.names, target, spot.node), says };
  if (state.versionsKept === 0) {
    const trashed = { trashId: null, name, parent: place.folder.id, node: before };
    return { ...trashing(withChild(away, place.names, target, spot.node), trashed), says };
  }
  const merged = withHistoryOf(spot.node, before, state.versionsKept);
  return { state: retire(withChild(away, place.names, target, merged), before), says };
}

/** The item that moved keeps its uuid; the history of the file whose place it takes is added to its own. */
function withHistoryOf(moved: FileNode, { text, isSigned, history }: FileNode, limit: number): FileNode {
  const inherited = history.map((old) => ({ ...old, version: old.version + moved.version - 1 }));
  const older = [...moved.history, ...inherited].sort((a, b) => b.version - a.version);
  const number = Math.max(moved.version + inherited.length, (older[0]?.version ?? -1) + 1);
  return { ...moved, version: number + 1, history: [{ version: number, text, isSigned }, ...older].slice(0, limit) };
}

function trashing(state: State, item: Omit<Trashed, 'isOnItsWay'>): { state: State; trashes: string } {
  return { state: { ...state, trash: [...state.trash, { ...item, isOnItsWay: true }] }, trashes: item.node.id };
}

/** @param trashId that the reply tells; null when it goes for good */
export function deleteItem(state: State, path: Path, trashId: string | null): Outcome {
  const spot = nodeAt(state, path);
  if (spot === null) return 'not_found';
  const { name, node } = spot;
  const without = withChild(state, spot.names, name, null);
  if (trashId === null) return { state: retire(without, node), says: {} };
  return { ...trashing(without, { trashId, name, parent: spot.folder.id, node }), says: { trashId } };
}

/** What goes for good takes its identities with it. */
export function retire(state: State, node: Node): State {
  const uuids = [...nodesOf(node)].map(({ uuid }) => uuid).filter((uuid) => uuid !== null);
  return { ...state, retired: [...state.retired, ...uuids] };
}

/** Back to its folder, wherever that is by now, or into the home; a taken name gets " (restored)". */
export function putBack(state: State, item: Trashed): Done {
  const names = pathOfFolder(state, item.parent) ?? [];
  const place = folderAt(state, names) ?? { names: [], folder: state.root };
  let name = item.name;
  for (let attempt = 1; twinIn(place.folder, name) !== null; attempt += 1) name = restoredName(item.name, attempt);
  return { state: withChild(state, place.names, name, item.node), says: { path: [...place.names, name] } };
}

function restoredName(name: string, attempt: number): string {
  const dot = name.lastIndexOf('.');
  const cut = dot > 0 ? dot : name.length;
  return `${name.slice(0, cut)} (restored${attempt === 1 ? '' : ` ${attempt}`})${name.slice(cut)}`;
}

export function restoreVersion(state: State, path: Path, version: number, id: string): Outcome {
  const spot = nodeAt(state, path);
  if (spot === null) return 'not_found';
  if (spot.node.isDir) return 'invalid_path';
  if (spot.node.version === version) return 'invalid_parameter';
  const old = spot.node.history.find((one) => one.version === version);
  if (old === undefined) return 'not_found';
  const outcome = putContent(state, path, { text: old.text, isSigned: true }, true, id);
  if (typeof outcome === 'string') return outcome;
  const { size: _unsaid, ...says } = outcome.says;
  const { tells: _untold, ...done } = outcome;
  return { ...done, says };
}

export function deleteVersion(state: State, path: Path, version: number): Outcome {
  const spot = nodeAt(state, path);
  if (spot === null) return 'not_found';
  if (spot.node.isDir) return 'invalid_path';
  if (spot.node.version === version) return 'invalid_parameter';
  const history = spot.node.history.filter((one) => one.version !== version);
  if (history.length === spot.node.history.length) return 'not_found';
  return { state: withChild(state, spot.names, spot.name, { ...spot.node, history }), says: {} };
}
